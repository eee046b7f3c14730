import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Random, Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Store } from "../store/store.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import type { CapabilitySource } from "../upstream/upstream.ts";
import type { UpstreamLimiter } from "../upstream/upstream-limiter.ts";
import type { ClockSuspicion } from "./clock-suspicion.ts";
import type { MqttCoverage } from "./mqtt-coverage.ts";
import type { PollIntervals } from "./polling/poll-pacing.ts";
import type { Silence } from "./silence.ts";

/** Dependencies common to the readers of an account and of the fleet. */
export interface AccountDeps {
  readonly store: Store;
  readonly client: UpstreamClient;
  readonly limiter: UpstreamLimiter;
  readonly prover: TokenProver;
  readonly capabilities: CapabilitySource;
  readonly mqttCoverage: MqttCoverage;
  readonly suspicion: ClockSuspicion;
  readonly silence: Silence;
  /** True for an administrator's account, according to its displays. */
  readonly administers: (accountId: string) => boolean;
  readonly link: LinkMonitor;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly intervals: PollIntervals;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly stretch: () => number;
}

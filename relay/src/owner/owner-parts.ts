import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Random } from "@mulkko/shared/rules/clock";
import type { ClockSuspicion } from "../core/clock-suspicion.ts";
import type { PollIntervals } from "../core/poll-pacing.ts";
import type { NodeFeed } from "../fleet/node-feed.ts";
import type { LinkMonitor } from "../ports/link.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import type { CreateValveDesk } from "../ports/valves.ts";
import type { Hearing } from "../sources/hearing.ts";
import type { Store } from "../store/store.ts";
import type { AccountSessions } from "../upstream/account-sessions.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import type { Gate } from "../upstream/gate.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";

/** What every account's owner is given. */
export interface OwnerParts {
  readonly store: Store;
  readonly client: UpstreamClient;
  readonly gate: Gate;
  readonly prover: TokenProver;
  readonly capabilities: CapabilitySource;
  readonly sessions: AccountSessions;
  readonly upstreamClock: UpstreamClock;
  readonly createDesk: CreateValveDesk;
  /** Told of every reading that comes in: whose it is, and its time (ms UTC). */
  readonly onReading?: (accountId: string, sensorId: string, at: number) => void;
  /** Where what is known of the account's devices goes on to the fleet. */
  readonly fleet: Pick<NodeFeed, "account">;
  readonly hearing: Hearing;
  readonly suspicion: ClockSuspicion;
  /** True if the silence of a device that was heard last then (ms UTC) may be the farm API's. */
  readonly doubts: (heardAt: number) => boolean;
  /** True for an administrator's account, as far as its displays tell. */
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

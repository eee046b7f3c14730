import type { AccountSessions } from "./account-sessions.ts";
import type { CapabilitySource } from "./capabilities.ts";
import type { UpstreamClient } from "./client.ts";
import type { LinkWatch } from "./link-monitor.ts";
import type { Reception } from "./reception.ts";
import type { TokenProver } from "./tokens.ts";
import type { UpstreamClock } from "./upstream-clock.ts";

/** The farm API, as the owners of accounts and of the fleet use it. */
export interface Upstream {
  readonly client: UpstreamClient;
  readonly capabilities: CapabilitySource;
  readonly prover: TokenProver;
  readonly sessions: AccountSessions;
  readonly link: LinkWatch;
  readonly clock: UpstreamClock;
  readonly reception: Reception;
}

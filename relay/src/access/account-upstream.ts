import type { CapabilitySource } from "../upstream/capabilities.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import type { LinkWatch } from "../upstream/link-monitor.ts";
import type { Reception } from "../upstream/reception.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import type { AccessEnds } from "./access-ends.ts";
import type { AccountAccess } from "./account-access.ts";
import type { TokenProver } from "./token-prover.ts";

/** The farm API, as the owners of accounts and of the fleet use it. */
export interface AccountUpstream {
  readonly client: UpstreamClient;
  readonly capabilities: CapabilitySource;
  readonly prover: TokenProver;
  readonly sessions: AccountAccess;
  readonly ends: Pick<AccessEnds, "onEnd">;
  readonly link: LinkWatch;
  readonly clock: UpstreamClock;
  readonly reception: Reception;
}

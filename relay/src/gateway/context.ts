import type { Clock, Random, Timers } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Owners } from "../cluster/owners.ts";
import type { DisplayAuth } from "../displays/display-auth.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { AuditTrail } from "../upstream/audit-trail.ts";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import type { GatewayLimits } from "./limits.ts";

/** Dependencies of sessions. */
export interface GatewayContext {
  readonly owners: Owners;
  readonly prover: TokenProver;
  readonly displays: DisplayAuth;
  readonly audit: Pick<AuditTrail, "readAs">;
  readonly link: LinkMonitor;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly limits: GatewayLimits;
  readonly log: FastifyBaseLogger;
  readonly identity: { readonly node: string; readonly build: string; readonly apiTimezone: string };
}

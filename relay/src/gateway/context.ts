import type { Clock, Random } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { AuditTrail } from "../ports/audit.ts";
import type { DisplayDoor } from "../ports/displays.ts";
import type { LinkMonitor } from "../ports/link.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Owners } from "../ports/owners.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { GatewayLimits } from "./limits.ts";

/** What sessions need of the relay. */
export interface GatewayContext {
  readonly owners: Owners;
  readonly prover: TokenProver;
  readonly displays: DisplayDoor;
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

import type { RelayDeed } from "@mulkko/shared/rest/admin";

/** Where it is written down what administrators do through the relay (HS-2). */
export interface AuditTrail {
  /** Never throws and never waits: what was done was done. */
  record(deed: Omit<RelayDeed, "at">): void;
  /** An administrator reads another account; one reading of half an hour is written down once. */
  readAs(administrator: RelayDeed["actor"], accountId: string): void;
}

import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import type { ProvenAccount } from "../upstream/tokens.ts";

/** Sorted ids of the farms that a display shows; null: all farms, and state without a farm. */
export type FarmChoice = readonly string[] | null;

/** Access granted by a display's token: reading, within its farms (HS-2). */
export interface DisplayGrant {
  readonly id: string;
  readonly name: string;
  /** Account of the farms; without a role, whatever the account's role is. */
  readonly account: ProvenAccount;
  readonly farms: FarmChoice;
  readonly scope: DisplaySettings["scope"];
  /** An administrator approved it, and its pages include `fleet`. */
  readonly mayFleet: boolean;
}

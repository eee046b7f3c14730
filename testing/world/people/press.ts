import type { Valve } from "../devices/truth.ts";
import type { PersonName } from "../plan/plan.ts";

/** A person of the account, or the administrator. */
export type PressedBy = PersonName | "park";

/** A command that a person gave. */
export interface Press {
  readonly by: PressedBy;
  readonly at: number;
  /** The earliest moment of the press by what the page sends with it (CMD-10), true time, ms UTC. */
  readonly countsFrom: number;
  readonly target: 1 | 2;
  readonly valve: Valve;
  readonly commandId: string;
  /** Length of the run that was wanted; 0 for a close. */
  readonly runMs: number;
}

import type { Invariant } from "../invariants.ts";

/** A fault of the past, put back as a small change of one file. */
export interface Mutant {
  /** File name of the mutant, and its name in reports. */
  readonly name: string;
  /** Its effect, as users met it. */
  readonly fault: string;
  /** Path in the repository. */
  readonly file: string;
  /** Text of the file that occurs exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The rule that it breaks. */
  readonly breaks: Invariant;
}

import type { Invariant } from "../scene/violation.ts";

/** A small change of a file. */
export interface Edit {
  /** Path in the repository. */
  readonly file: string;
  /** Text of the file that occurs exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** A fault of the past, put back as a small change. */
export interface Mutant extends Edit {
  /** File name of the mutant, and its name in reports. */
  readonly name: string;
  /** Its effect, as users met it. */
  readonly fault: string;
  /** The rule that it breaks. */
  readonly breaks: Invariant;
  /** The second check that stood behind it, and is taken away with it. */
  readonly also?: readonly Edit[];
}

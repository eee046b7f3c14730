/** Numbers of the rules in docs/dev/valve-rules.md. */
export type Invariant =
  | "W-1"
  | "W-2"
  | "W-3"
  | "W-4"
  | "W-5"
  | "W-6"
  | "W-7"
  | "W-8"
  | "W-9"
  | "W-10"
  | "W-11"
  | "W-12"
  | "W-13"
  | "W-14"
  | "W-15";

/** A rule that a world broke, and how. */
export interface Violation {
  readonly invariant: Invariant;
  /** Time since the first event could happen, ms. */
  readonly afterMs: number;
  readonly text: string;
}

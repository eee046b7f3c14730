/** What is kept of paired screens. Objects are checked by their reader's schema. */

/** Where the displays stand: `revision` grows with each change of one; another `epoch`: the store lost them. */
export interface DisplayMark {
  readonly epoch: string;
  readonly revision: number;
}

/** A display as it is put back after a loss; the younger of two counts. */
export interface RestoredDisplay {
  readonly id: string;
  readonly display: object;
  /** ms UTC, store time */
  readonly changedAt: number;
}

/** When a display was heard last, and until when it holds a socket unless that is said again: ms UTC, store time. */
export interface Sighting {
  readonly id: string;
  readonly at: number;
  readonly until: number;
}

/** The same of one that may hold a socket elsewhere: `until` null stays what it is. */
export type SightedDisplay = Omit<Sighting, "until"> & { readonly until: number | null };

/** How the code stands that a screen asks about. */
export type CodeStanding =
  | { readonly kind: "waiting" }
  | { readonly kind: "approved"; readonly displayId: string }
  | { readonly kind: "unknown" };

/** Codes under way. Nothing of a code is found after its end. */
export interface CodeStore {
  /**
   * @param device hash of what the screen proves itself with
   * @param asked what the screen says of itself
   * @returns `taken` for a code that waits already, `full` where `atMost` do
   */
  open(
    code: string,
    entry: { readonly device: string; readonly asked: object; readonly expiresAt: number },
    atMost: number,
  ): Promise<"kept" | "taken" | "full">;
  /** A code that nobody has approved yet; undefined for any other. */
  waiting(code: string): Promise<{ asked: unknown; expiresAt: number } | undefined>;
  /** Once per code: false where it does not wait (any more). */
  approve(code: string, displayId: string): Promise<boolean>;
  /** What became of a screen's code; that it was approved is said once, whatever nodes are asked. */
  take(device: string): Promise<CodeStanding>;
  /**
   * Counts one more guess of a code.
   *
   * @param who an account, or an address
   * @returns how many `who` has made since the first of them, which is `windowMs` ago at most
   */
  guessed(who: string, windowMs: number): Promise<number>;
}

/** Paired screens of the whole installation, as they outlive a restart (NODE-2, NODE-4). */
export interface DisplayStore {
  mark(): Promise<DisplayMark>;
  all(): Promise<{ mark: DisplayMark; displays: { id: string; display: unknown }[] }>;
  add(id: string, display: object): Promise<void>;
  /** False where there is none of this id any more. */
  replace(id: string, display: object): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** NODE-2: puts in what is missing or older here, as seen now, and takes out what was removed before. */
  restore(displays: readonly RestoredDisplay[], removed: readonly string[]): Promise<void>;
  sightings(): Promise<Sighting[]>;
  sight(sighted: readonly SightedDisplay[]): Promise<void>;
  readonly codes: CodeStore;
}

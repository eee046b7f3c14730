/** Storage of paired displays. Stored objects are checked by their reader's schema. */

/**
 * The version of the displays: `revision` grows with each change. Another `epoch` means that the store lost
 * them.
 */
export interface DisplayMark {
  readonly epoch: string;
  readonly revision: number;
}

/** A display to restore after a loss. The newer of two versions counts. */
export interface RestoredDisplay {
  readonly id: string;
  readonly display: object;
  /** ms UTC, store time */
  readonly changedAt: number;
}

/** When a display was last seen, and until when it holds a socket unless renewed: ms UTC, store time. */
export interface DisplayLastSeen {
  readonly id: string;
  readonly at: number;
  readonly until: number;
}

/** The same for a display that may hold a socket on another node: a null `until` leaves the stored one. */
export type SeenDisplay = Omit<DisplayLastSeen, "until"> & { readonly until: number | null };

/** The state of the code that a screen asks about. */
export type CodeState =
  | { readonly kind: "waiting" }
  | { readonly kind: "approved"; readonly displayId: string }
  | { readonly kind: "unknown" };

/** Pending codes. A code is unknown after its end. */
export interface CodeStore {
  /**
   * Open a code.
   * @param device hash of the screen's secret
   * @param asked the screen's description of itself
   * @returns `taken` for a code that is pending already, `full` for `atMost` pending codes
   */
  open(
    code: string,
    entry: { readonly device: string; readonly asked: object; readonly expiresAt: number },
    atMost: number,
  ): Promise<"kept" | "taken" | "full">;
  /** Return a pending code that is not approved yet; undefined for any other. */
  waiting(code: string): Promise<{ asked: unknown; expiresAt: number } | undefined>;
  /** Return all pending codes that are not approved yet, oldest first. */
  everyWaiting(): Promise<{ code: string; asked: unknown }[]>;
  /** Forget a pending code, unless it was approved meanwhile. */
  withdraw(code: string): Promise<void>;
  /** Approve a code, once. Return false if it is not pending. */
  approve(code: string, displayId: string): Promise<boolean>;
  /** Return the state of a screen's code. An approval is returned once over all nodes. */
  poll(device: string): Promise<CodeState>;
  /**
   * Count one more guess of a code.
   * @param who an account, or an address
   * @returns the number of guesses by `who` in the present window, which begins with the first and lasts
   * `windowMs`
   */
  guessed(who: string, windowMs: number): Promise<number>;
}

/** Paired displays of the whole installation, which survive a restart (NODE-2, NODE-4). */
export interface DisplayStore {
  mark(): Promise<DisplayMark>;
  all(): Promise<{ mark: DisplayMark; displays: { id: string; display: unknown }[] }>;
  add(id: string, display: object): Promise<void>;
  /** Replace a display; return false if the id no longer exists. */
  replace(id: string, display: object): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /**
   * NODE-2: add displays that are missing or older, as seen now, and remove those removed before the loss.
   */
  restore(displays: readonly RestoredDisplay[], removed: readonly string[]): Promise<void>;
  displayActivity(): Promise<DisplayLastSeen[]>;
  noteSeen(seen: readonly SeenDisplay[]): Promise<void>;
  readonly codes: CodeStore;
}

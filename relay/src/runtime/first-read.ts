/**
 * Tells whether a state has been read since its owner began.
 *
 * ```
 *   unread ──read──▶ reading ──done──▶ read ◀──resumed── unread
 *     ▲                 │
 *     └─────failed──────┘
 * ```
 *
 * A call of `read` while it is being read waits for the same.
 */
export class FirstRead {
  #isDone = false;
  #reading: Promise<void> | null = null;

  get isDone(): boolean {
    return this.#isDone;
  }

  /** The stored state is of this epoch: nothing needs to be read first. */
  resumed(): void {
    this.#isDone = true;
    this.#reading = Promise.resolve();
  }

  /**
   * Read it, once. A failure rejects, and the next call reads again.
   *
   * @param whenDone called once it is read
   */
  read(read: () => Promise<void>, whenDone: () => void): Promise<void> {
    this.#reading ??= this.#begin(read, whenDone);
    return this.#reading;
  }

  async #begin(read: () => Promise<void>, whenDone: () => void): Promise<void> {
    try {
      await read();
    } catch (error) {
      this.#reading = null;
      throw error;
    }
    this.#isDone = true;
    whenDone();
  }
}

/** Trouble on a way, as it is observed: since when it lasts, and when it last ended. */
export class Trouble {
  #since: number | null = null;
  #endedAt = Number.NEGATIVE_INFINITY;

  note(isWell: boolean, now: number): void {
    if (!isWell) this.#since ??= now;
    else if (this.#since !== null) {
      this.#since = null;
      this.#endedAt = now;
    }
  }

  /** Since when the way has been well without a break; null while it is not. */
  get wellSince(): number | null {
    return this.#since === null ? this.#endedAt : null;
  }

  /** Since when there is trouble; null while there is none. */
  get since(): number | null {
    return this.#since;
  }

  /** When the last trouble ended. */
  get endedAt(): number {
    return this.#endedAt;
  }
}

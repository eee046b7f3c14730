import type { SendResult } from "../upstream/outgoing-command.ts";

/** Number of ids that an opening names: a close is repeated each minute, and a line may hold it for some. */
const NAMED_AT_MOST = 32;

/**
 * Closes of a channel that were sent and have no answer: they may wait on the line, and arrive after an opening that a
 * user pressed after them. The opening names them, so that the farm API does not end its run by them (CMD-17).
 */
export class UnansweredCloses {
  readonly #ids = new Set<string>();

  /** Ids of their sends, oldest first. */
  get ids(): readonly string[] {
    return [...this.#ids];
  }

  /** Note that a close is sent. */
  sent(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > NAMED_AT_MOST && oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Note the answer to a close. One of unknown fate may still be under way. */
  answered(id: string, { kind }: SendResult): void {
    if (kind !== "unknown") this.#ids.delete(id);
  }
}

import type { Queryable } from "../database/database.ts";

/** Numbers are the clock's microseconds while it does not go back, so that a restored database continues above. */
const PER_MS = 1_000;

/**
 * Numbers messages in their order of arrival. A number only rises, also when the clock is set back and over
 * restarts: it continues from the highest stored one (ORD-1).
 */
export class ArrivalNumbers {
  #last = 0;

  /** Continue after the stored numbers. Call it before the first message. */
  async load(database: Queryable): Promise<void> {
    const [row] = await database.query<{ last: number | null }>(
      `select greatest(
         (select max(arrival) from latest), (select max(arrival) from channel_state),
         (select greatest(max(said_arrival), max(received_arrival)) from device_link)
       ) as last`,
    );
    this.#last = Math.max(this.#last, row?.last ?? 0);
  }

  /** Return the number of a message that arrives now. @param now ms since 1970 UTC */
  next(now: number): number {
    this.#last = Math.max(this.#last + 1, now * PER_MS);
    return this.#last;
  }
}

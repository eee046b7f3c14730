import type { Timers } from "@mulkko/shared/rules/clock";

/** Size of a pool, and the shares in it. */
export interface PoolSize {
  /** Places, of whatever unit: calls, bytes. */
  readonly all: number;
  /** Most places of one holder, and of all holders of one address. */
  readonly each: number;
  readonly eachAddress: number;
  /** Most waiting requests, in total and of one holder. */
  readonly waitingAll: number;
  readonly waitingEach: number;
  /** Longest wait, ms. */
  readonly waitMs: number;
}

/** The holder of a place: an account, or an address group for callers without one. */
export interface Holder {
  readonly name: string;
  /** The address group of an account's caller; null for a holder that is an address itself. */
  readonly address: string | null;
}

/** The reason for which a request got no place. */
export type NoPlace = "share-used" | "pool-full" | "caller-gone";

/** A request got no place; the caller may try again. */
export class NoPlaceError extends Error {
  override readonly name = "NoPlaceError";
  readonly reason: NoPlace;
  constructor(reason: NoPlace) {
    super(`no place: ${reason}`);
    this.reason = reason;
  }
}

interface Waiting {
  readonly holder: Holder;
  readonly places: number;
  readonly enter: () => void;
  readonly leave: (reason: NoPlace) => void;
}

/**
 * A pool that many callers share (SHARE-1). A free place goes to the waiting request whose holder has the fewest,
 * of equal ones to the oldest. Where too many wait, the holder with most of them loses its newest. So a caller who
 * asks for much waits behind all who ask for little.
 *
 * ```
 *            room in the pool and in all shares
 *   asked ──────────────────────────────────────▶ held ──released──▶ ended
 *     │ no room                                    ▲
 *     ├─ waiting places left ──▶ waiting ──────────┘
 *     │                            └─ waitMs over · caller gone · room made: NoPlaceError
 *     └─ none left ──▶ NoPlaceError
 * ```
 */
export class Places {
  readonly #size: PoolSize;
  readonly #timers: Timers;
  readonly #held = new Map<string, number>();
  /** Requests in the order of their arrival. */
  readonly #waiting = new Set<Waiting>();
  #taken = 0;
  #refused = 0;

  constructor(size: PoolSize, timers: Timers) {
    this.#size = size;
    this.#timers = timers;
  }

  /** Places that are held. */
  get taken(): number {
    return this.#taken;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Requests that got no place, since the start; without those whose caller had gone. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Wait for places.
   *
   * @param places how many; more than a share counts as the whole share
   * @param gone aborted when the caller has disconnected
   * @returns a function that releases them
   * @throws NoPlaceError
   */
  async take(holder: Holder, places = 1, gone?: AbortSignal): Promise<() => void> {
    if (gone?.aborted) throw new NoPlaceError("caller-gone");
    const wanted = Math.min(places, this.#size.each);
    if (this.#fits(holder, wanted)) this.#add(holder, wanted);
    else await this.#wait(holder, wanted, gone);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(holder, -wanted);
      this.#admit();
    };
  }

  #heldOf(name: string): number {
    return this.#held.get(name) ?? 0;
  }

  #fits({ name, address }: Holder, places: number): boolean {
    const { all, each, eachAddress } = this.#size;
    if (this.#taken + places > all || this.#heldOf(name) + places > each) return false;
    return address === null || this.#heldOf(address) + places <= eachAddress;
  }

  #add({ name, address }: Holder, places: number): void {
    this.#taken += places;
    for (const each of address === null ? [name] : [name, address]) {
      const held = this.#heldOf(each) + places;
      if (held > 0) this.#held.set(each, held);
      else this.#held.delete(each);
    }
  }

  /** Give free places to those who wait. */
  #admit(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.#add(next.holder, next.places);
      next.enter();
    }
  }

  #next(): Waiting | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.holder, waiting.places)) continue;
      if (next === null || this.#heldOf(waiting.holder.name) < this.#heldOf(next.holder.name)) next = waiting;
    }
    return next;
  }

  /** Make room among those who wait, at the cost of the holder who has most there. */
  #makeRoom({ name }: Holder): void {
    const { waitingAll, waitingEach } = this.#size;
    const counts = new Map<string, number>();
    for (const { holder } of this.#waiting) counts.set(holder.name, (counts.get(holder.name) ?? 0) + 1);
    const own = counts.get(name) ?? 0;
    if (own >= waitingEach) throw this.#refusal("share-used");
    if (this.#waiting.size < waitingAll) return;
    const [largest, most] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ["", 0]);
    const newest = [...this.#waiting].findLast(({ holder }) => holder.name === largest);
    if (!newest || most <= own + 1) throw this.#refusal("pool-full");
    newest.leave("pool-full");
  }

  #refusal(reason: NoPlace): NoPlaceError {
    if (reason !== "caller-gone") this.#refused += 1;
    return new NoPlaceError(reason);
  }

  /** Resolves when the places have been added. */
  #wait(holder: Holder, places: number, gone: AbortSignal | undefined): Promise<void> {
    this.#makeRoom(holder);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        timer.cancel();
        gone?.removeEventListener("abort", left);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        holder,
        places,
        enter: () => {
          end();
          resolve();
        },
        leave: (reason) => {
          end();
          reject(this.#refusal(reason));
        },
      };
      const left = (): void => waiting.leave("caller-gone");
      const timer = this.#timers.after(this.#size.waitMs, () =>
        waiting.leave(this.#taken + places > this.#size.all ? "pool-full" : "share-used"),
      );
      gone?.addEventListener("abort", left);
      this.#waiting.add(waiting);
    });
  }
}

import type { Timer } from "@mulkko/shared/rules/clock";

/** One thing that will happen. */
interface Due {
  readonly at: number;
  /** Things of the same instant happen in the order in which they were planned. */
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

const isBefore = (a: Due, b: Due): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/**
 * The time of a world, and everything that will happen in it. Nothing passes by itself: `run` takes one event after
 * another, and lets all that follows from it end before the next.
 *
 * `now` is true time, ms since 1970 UTC. No machine can read it; machines have clocks of their own.
 */
export class WorldTime {
  #now: number;
  #order = 0;
  /** A binary heap. */
  readonly #due: Due[] = [];
  readonly #settled: () => Promise<void>;

  /** @param settled resolves once nothing is under way that needs no time */
  constructor(start: number, settled: () => Promise<void>) {
    this.#now = start;
    this.#settled = settled;
  }

  get now(): number {
    return this.#now;
  }

  /** Plan something, at the earliest now. */
  at(when: number, run: () => void): Timer {
    this.#order += 1;
    const due: Due = { at: Math.max(this.#now, when), order: this.#order, run, isCancelled: false };
    this.#push(due);
    return {
      cancel() {
        due.isCancelled = true;
      },
    };
  }

  after(ms: number, run: () => void): Timer {
    return this.at(this.#now + ms, run);
  }

  /** Let the world go on until an instant. @param look called after every event */
  async run(until: number, look: () => void = () => undefined): Promise<void> {
    await this.#settled();
    for (let next = this.#due[0]; next !== undefined && next.at <= until; next = this.#due[0]) {
      this.#pop();
      if (next.isCancelled) continue;
      this.#now = next.at;
      next.run();
      await this.#settled();
      look();
    }
    this.#now = Math.max(this.#now, until);
  }

  #push(due: Due): void {
    const heap = this.#due;
    let place = heap.length;
    heap.push(due);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(due, parent)) break;
      heap[place] = parent;
      heap[above] = due;
      place = above;
    }
  }

  #pop(): void {
    const heap = this.#due;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const a = heap[left];
      if (a === undefined) break;
      const b = heap[left + 1];
      const [below, child] = b !== undefined && isBefore(b, a) ? [left + 1, b] : [left, a];
      if (!isBefore(child, last)) break;
      heap[place] = child;
      place = below;
    }
    heap[place] = last;
  }
}

/** How far the farm API's clock is ahead of ours, by the `Date` headers of its answers. */
export interface UpstreamClock {
  /** The API's clock minus ours, ms; 0 while unknown or under 2 s. */
  readonly offsetMs: number;
  /** One answer's `Date` minus our clock at its arrival, ms. */
  noteSkew(ms: number): void;
}

/** Answers that are looked back on. */
const REMEMBERED = 8;
/** ms below which a difference cannot be told from the header's whole seconds and the way. */
const TOLD_FROM_MS = 2_000;

/** The largest of the last differences counts: whole seconds and the way only make one smaller. */
export function createUpstreamClock(): UpstreamClock {
  let skews: readonly number[] = [];
  return {
    get offsetMs() {
      const offset = skews.length === 0 ? 0 : Math.max(...skews);
      return Math.abs(offset) < TOLD_FROM_MS ? 0 : offset;
    },
    noteSkew(ms) {
      skews = [...skews, ms].slice(-REMEMBERED);
    },
  };
}

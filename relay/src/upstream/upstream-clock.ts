/** Estimates how far the farm API's clock is ahead of the relay's, from the `Date` headers of its answers. */
export interface UpstreamClock {
  /** The API's clock minus ours, ms; 0 while unknown or under 2 s. */
  readonly offsetMs: number;
  /** Record the `Date` of one answer minus the relay's clock at its arrival, ms. */
  noteSkew(ms: number): void;
}

/** Number of answers considered. */
const REMEMBERED = 8;
/** ms below which a difference may result from whole seconds and transit. */
const SIGNIFICANT_FROM_MS = 2_000;

/** Use the largest of the last differences: whole seconds and transit can only reduce it. */
export function createUpstreamClock(): UpstreamClock {
  let skews: readonly number[] = [];
  return {
    get offsetMs() {
      const offset = skews.length === 0 ? 0 : Math.max(...skews);
      return Math.abs(offset) < SIGNIFICANT_FROM_MS ? 0 : offset;
    },
    noteSkew(ms) {
      skews = [...skews, ms].slice(-REMEMBERED);
    },
  };
}

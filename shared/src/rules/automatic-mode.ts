const MINUTE_MS = 60_000;

/** With only an upper bound, automatic opens this far below it, points of percent. */
const BELOW_UPPER = 3;

/** Minimum pause of the automatic mode after a run, ms; the pause is otherwise as long as the run. */
export const MIN_PAUSE_MS = 10 * MINUTE_MS;

/** Age beyond which a sensor's moisture does not count for its channel, ms. */
export const MOISTURE_FRESH_MS = 60 * MINUTE_MS;

/** Moisture in percent between which the automatic mode keeps a channel; null: no such bound. */
export interface Bounds {
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
}

/** Return the moisture below which the automatic mode opens; null without a bound. */
export function opensBelow({ lowerBound, upperBound }: Bounds): number | null {
  if (lowerBound !== null) return lowerBound;
  return upperBound === null ? null : upperBound - BELOW_UPPER;
}

/** Return true if the automatic mode opens, unless it pauses. */
export function isDry(bounds: Bounds, moisture: number): boolean {
  const below = opensBelow(bounds);
  return below !== null && moisture < below;
}

/** Return how long the automatic mode pauses after a run of that length, ms. */
export const pauseAfter = (runMs: number): number => Math.max(runMs, MIN_PAUSE_MS);

/** Next step of the automatic mode in charge of a closed valve. */
export type AutomaticNext =
  /** Opens now: it is dry. */
  | { readonly kind: "opens" }
  /** Is dry, and opens when the pause is over (ms UTC). */
  | { readonly kind: "opens-after"; readonly at: number }
  /** Opens once the moisture falls below the value, not before `notBefore` (ms UTC) while it pauses. */
  | { readonly kind: "waits"; readonly below: number; readonly notBefore: number | null }
  /** Has no bound, or no moisture reading. */
  | { readonly kind: "unknown" };

/**
 * Return the next step by the rules of the automatic mode (`docs/dev/valve-rules.md`), where this product
 * executes it.
 *
 * @param moisture mean of the channel's sensors, %; null without one
 * @param lastRunEnd end of the newest run of the automatic mode, ms UTC; null without one
 * @param now ms UTC
 */
export function automaticNext(
  setting: Bounds & { readonly wateringDuration: number },
  moisture: number | null,
  lastRunEnd: number | null,
  now: number,
): AutomaticNext {
  const below = opensBelow(setting);
  if (below === null || moisture === null) return { kind: "unknown" };
  const pausesUntil =
    lastRunEnd === null ? now : lastRunEnd + pauseAfter(setting.wateringDuration * MINUTE_MS);
  const pauses = pausesUntil > now;
  if (isDry(setting, moisture)) return pauses ? { kind: "opens-after", at: pausesUntil } : { kind: "opens" };
  return { kind: "waits", below, notBefore: pauses ? pausesUntil : null };
}

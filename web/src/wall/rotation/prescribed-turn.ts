/**
 * Global variable by which a soak test sets the turn time before the page loads; no address and no setting
 * does.
 */
const NAME = "mulkkoWallTurnMs";

/** Minimum turn time, ms: a page has to render once. */
const LEAST_MS = 50;

/**
 * Return the turn time of a soak test, ms, which needs hundreds of turns in minutes; null: use the settings.
 */
export function prescribedTurnMs(page: object): number | null {
  const ms: unknown = Reflect.get(page, NAME);
  return typeof ms === "number" && Number.isFinite(ms) ? Math.max(LEAST_MS, ms) : null;
}

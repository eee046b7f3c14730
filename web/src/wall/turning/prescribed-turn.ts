/** The name under which a soak says, before the page loads, how fast the pages turn; no address and no setting does. */
const NAME = "mulkkoWallTurnMs";

/** The shortest time that a page may stand, ms: it has to be drawn once. */
const LEAST_MS = 50;

/** How long a page stands, ms, where a soak wants hundreds of turns in minutes; null: as the settings say. */
export function prescribedTurnMs(page: object): number | null {
  const ms: unknown = Reflect.get(page, NAME);
  return typeof ms === "number" && Number.isFinite(ms) ? Math.max(LEAST_MS, ms) : null;
}

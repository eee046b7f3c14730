/** A name to place on the map, CSS px on the screen; earlier ones have priority. */
export interface WantedName {
  /** Middle of the text. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Free space between two names, px. */
const GAP = 3;

/** Maximum number of names at once: the search is quadratic, and more are not readable. */
const MOST = 150;

/** Return the names that fit: each one that does not overlap an earlier one. */
export function namesWithRoom<Name extends WantedName>(wanted: readonly Name[]): Name[] {
  const placed: Name[] = [];
  for (const name of wanted) {
    if (placed.length === MOST) break;
    const free = placed.every(
      (other) =>
        Math.abs(name.x - other.x) * 2 > name.width + other.width + 2 * GAP ||
        Math.abs(name.y - other.y) * 2 > name.height + other.height + 2 * GAP,
    );
    if (free) placed.push(name);
  }
  return placed;
}

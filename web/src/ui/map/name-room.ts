/** A name that wants to stand on the map, CSS px on the screen; earlier ones go first. */
export interface WantedName {
  /** Middle of the text. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Free px between two names. */
const GAP = 3;

/** Most names at once: more of them than this nobody reads, and finding room takes the square of it. */
const MOST = 150;

/** The names that have room: each one, unless it touches an earlier one. */
export function namesWithRoom<Name extends WantedName>(wanted: readonly Name[]): Name[] {
  const kept: Name[] = [];
  for (const name of wanted) {
    if (kept.length === MOST) break;
    const free = kept.every(
      (other) =>
        Math.abs(name.x - other.x) * 2 > name.width + other.width + 2 * GAP ||
        Math.abs(name.y - other.y) * 2 > name.height + other.height + 2 * GAP,
    );
    if (free) kept.push(name);
  }
  return kept;
}

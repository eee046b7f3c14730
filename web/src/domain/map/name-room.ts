/** A name to place on the map, CSS px on the screen; earlier ones have priority. */
export interface WantedName {
  /** Middle of the text. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle on the screen by its middle, CSS px. */
export type Box = Pick<WantedName, "x" | "y" | "width" | "height">;

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

const isWithin = ({ x, y, width, height }: Box, view: { width: number; height: number }): boolean =>
  x * 2 >= width && y * 2 >= height && (view.width - x) * 2 >= width && (view.height - y) * 2 >= height;

/**
 * Return the first place for a name that is in the view and covers no marker: over another farm's marker, a
 * name would be read as that farm's. Return undefined if every place covers one.
 */
export function freePlace<Place extends Box>(
  places: readonly Place[],
  marks: readonly Box[],
  view: { width: number; height: number },
): Place | undefined {
  const free = places.filter((place) => !marks.some((mark) => overlap(place, mark)));
  return free.find((place) => isWithin(place, view)) ?? free[0];
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

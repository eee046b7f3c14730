/** One wave of a contour: height, length and shift in view-box units. */
export type Wave = readonly [height: number, length: number, shift: number];

/** A landscape contour: its mean height from the top, and its waves. */
export interface Contour {
  readonly y: number;
  readonly waves: readonly Wave[];
}

const STEP = 10;

const round = (value: number): number => Math.round(value * 10) / 10;

/** Return the height of a contour at x, from the top. */
export function contourY(contour: Contour, x: number): number {
  return contour.waves.reduce(
    (y, [height, length, shift]) => y + height * Math.sin(((x + shift) / length) * 2 * Math.PI),
    contour.y,
  );
}

/** Return a contour as an open SVG path from x = `from` to `to`, lowered by `offset`. */
export function linePath(contour: Contour, from: number, to: number, offset = 0): string {
  const points: string[] = [];
  for (let x = from; x < to + STEP; x += STEP) {
    const at = Math.min(x, to);
    points.push(`${at} ${round(contourY(contour, at) + offset)}`);
  }
  return `M${points.join("L")}`;
}

/** Return the land under a contour, down to `bottom`, as a closed SVG path. */
export function landPath(contour: Contour, width: number, bottom: number, offset = 0): string {
  return `${linePath(contour, 0, width, offset)}V${bottom}H0Z`;
}

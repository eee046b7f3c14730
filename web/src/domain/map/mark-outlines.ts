import type { MarkShape } from "./marker.ts";

/** Side of the square in which an outline is drawn. */
export const BOX = 96;
const MIDDLE = BOX / 2;

/** Return a regular polygon around a middle, first corner on top, as an SVG path. */
export function polygon(corners: number, radius: number, middle: readonly [number, number]): string {
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * 2 * Math.PI - Math.PI / 2;
    const [x, y] = [middle[0] + radius * Math.cos(angle), middle[1] + radius * Math.sin(angle)];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** SVG paths of markers by shape, used by lists beside names and by the map's sprite. */
export const MARK_OUTLINES: Readonly<Record<MarkShape, string>> = {
  circle: "M16 48a32 32 0 1 0 64 0a32 32 0 1 0 -64 0Z",
  square: "M27 19h42a8 8 0 0 1 8 8v42a8 8 0 0 1 -8 8h-42a8 8 0 0 1 -8 -8v-42a8 8 0 0 1 8 -8Z",
  diamond: polygon(4, 37, [MIDDLE, MIDDLE]),
  hexagon: polygon(6, 35, [MIDDLE, MIDDLE]),
  pentagon: polygon(5, 36, [MIDDLE, MIDDLE + 3]),
  triangle: polygon(3, 40, [MIDDLE, MIDDLE + 7]),
  drop: "M48 10C56 28 76 42 76 58A28 28 0 0 1 20 58C20 42 40 28 48 10Z",
  bowtie: "M14 22L48 40L82 22V74L48 56L14 74Z",
};

/** Place of a device, degrees. */
export interface Place {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A pin on a small picture, 0 to 1 from its left and top. */
export interface Pin {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/** Smallest side of the picture, degrees: pins of one field are not spread over the whole of it. */
const SMALLEST_SIDE = 0.002;

/** Share of the picture left free at each side. */
const MARGIN = 0.12;

/** Convert places to pins of one picture. Both axes have one scale, so that the farm keeps its shape. */
export function pinsOf(places: readonly Place[]): Pin[] {
  if (places.length === 0) return [];
  const middleLatitude = places.reduce((sum, { latitude }) => sum + latitude, 0) / places.length;
  const squeeze = Math.cos((middleLatitude * Math.PI) / 180);
  const xs = places.map(({ longitude }) => longitude * squeeze);
  const ys = places.map(({ latitude }) => -latitude);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(right - left, bottom - top, SMALLEST_SIDE);
  const at = (value: number, low: number, high: number) =>
    MARGIN + (1 - 2 * MARGIN) * (0.5 + (value - (low + high) / 2) / side);
  return places.map(({ id }, index) => ({
    id,
    x: at(xs[index] ?? 0, left, right),
    y: at(ys[index] ?? 0, top, bottom),
  }));
}

import type { Place } from "./place.ts";

/** Side of the whole earth at zoom 0, CSS px. */
const TILE = 512;

/** A point of the projected earth at some zoom, CSS px from its north-west corner. */
export interface WorldPoint {
  readonly x: number;
  readonly y: number;
}

/** Project a place (web Mercator). */
export function worldPoint({ latitude, longitude }: Place, zoom: number): WorldPoint {
  const size = TILE * 2 ** zoom;
  const radians = (latitude * Math.PI) / 180;
  return {
    x: ((longitude + 180) / 360) * size,
    y: ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * size,
  };
}

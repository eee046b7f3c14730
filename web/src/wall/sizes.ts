import type { DisplaySettings } from "@mulkko/shared/rest/displays";

/** Facts about a screen that determine sizes. */
export type ScreenPlace = Pick<DisplaySettings, "diagonalInches" | "distanceMetres">;

/** CSS px. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

const MM_PER_INCH = 25.4;
/** Reference screen of the design: 55 inches, 1920 px, viewed from three metres. */
const DRAWN = { widthMm: 1218, distanceMetres: 3, widthPx: 1920 } as const;
/** Limits of the factor: below there is no gain; above a single tile would fill the screen. */
const LEAST = 0.75;
const MOST = 2.2;
/**
 * Minimum tile width, and margins beside all tiles, px of the drawn screen: the maximum factor still leaves
 * space for two.
 */
const TILE_PX = 410;
const MARGIN_PX = 96;

/** Return the width of a screen, mm. */
export function screenWidthMm(diagonalInches: number, { width, height }: Viewport): number {
  return (diagonalInches * MM_PER_INCH * width) / Math.hypot(width, height);
}

/**
 * Return the factor for every size, in CSS px of this viewport. A text then has the same visual angle on each
 * screen and from each distance (ISO 9241-3: at least 16 minutes of arc, better 20).
 */
export function screenFactor(place: ScreenPlace, viewport: Viewport): number {
  const width = screenWidthMm(place.diagonalInches, viewport);
  const factor = (place.distanceMetres / DRAWN.distanceMetres) * (DRAWN.widthMm / width);
  return Math.min(MOST, Math.max(LEAST, factor)) * (viewport.width / DRAWN.widthPx);
}

/** Return the visual angle of a length in CSS px, minutes of arc. */
export function arcMinutes(px: number, place: ScreenPlace, viewport: Viewport): number {
  const mm = (px * screenWidthMm(place.diagonalInches, viewport)) / viewport.width;
  return (Math.atan2(mm, place.distanceMetres * 1000) * 180 * 60) / Math.PI;
}

/** Return the number of tiles side by side. @param factor of {@link screenFactor} */
export function columnsOf(factor: number, { width }: Viewport): number {
  const margin = MARGIN_PX * (width / DRAWN.widthPx);
  return Math.max(1, Math.floor((width - margin) / (TILE_PX * factor)));
}

/** Minimum height for stacked tiles of the designed size, px of the drawn screen. */
const TIGHT_BELOW_PX = 750;

/**
 * Return true for a small screen viewed from a distance, which readable texts fill. Elements are closer
 * together there, with the same text size.
 *
 * @param factor of {@link screenFactor}
 */
export function isTight(factor: number, { height }: Viewport): boolean {
  return height / factor < TIGHT_BELOW_PX;
}

/** Minimum width for a row that holds a name, three links and the time, px of the drawn screen. */
const NARROW_BELOW_PX = 1_520;

/**
 * Return true for a screen without room for wide rows: every upright one, and small ones viewed from a
 * distance. What is a row elsewhere stands in two or three lines there.
 *
 * @param factor of {@link screenFactor}
 */
export function isNarrow(factor: number, { width }: Viewport): boolean {
  return width / factor < NARROW_BELOW_PX;
}

/** Height of a tile and gap between two, px of the drawn screen. */
const TILE_HEIGHT_PX = { wide: 236, tight: 116 } as const;
const TILE_GAP_PX = { wide: 22, tight: 10 } as const;

/** Return the gap between two tiles, CSS px. */
export const tileGap = (factor: number, tight: boolean): number =>
  TILE_GAP_PX[tight ? "tight" : "wide"] * factor;

/** Return the number of tile rows that fit a height in CSS px. */
export function rowsOf(factor: number, height: number, tight: boolean): number {
  const gap = tileGap(factor, tight);
  return Math.max(1, Math.floor((height + gap) / (TILE_HEIGHT_PX[tight ? "tight" : "wide"] * factor + gap)));
}

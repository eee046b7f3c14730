import type { DisplaySettings } from "@mulkko/shared/rest/displays";

/** What a screen is, as far as sizes go. */
export type ScreenPlace = Pick<DisplaySettings, "diagonalInches" | "distanceMetres">;

/** CSS px. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

const MM_PER_INCH = 25.4;
/** The screen that the sizes of the design are drawn for: 55 inches of 1920 px, read from three metres. */
const DRAWN = { widthMm: 1218, distanceMetres: 3, widthPx: 1920 } as const;
/** Below, nothing would be gained; above, a single tile would fill the screen. */
const LEAST = 0.75;
const MOST = 2.2;
/** A tile's least width and the margins beside all of them, px of the drawn screen: even the largest leave room for two. */
const TILE_PX = 410;
const MARGIN_PX = 96;

/** Width of a screen, mm. */
export function screenWidthMm(diagonalInches: number, { width, height }: Viewport): number {
  return (diagonalInches * MM_PER_INCH * width) / Math.hypot(width, height);
}

/**
 * The factor for every size, so that a text is seen under the same angle on each screen from each place
 * (ISO 9241-3: at least 16 minutes of arc, better 20): in CSS px of this viewport.
 */
export function screenFactor(place: ScreenPlace, viewport: Viewport): number {
  const width = screenWidthMm(place.diagonalInches, viewport);
  const factor = (place.distanceMetres / DRAWN.distanceMetres) * (DRAWN.widthMm / width);
  return Math.min(MOST, Math.max(LEAST, factor)) * (viewport.width / DRAWN.widthPx);
}

/** Under which angle something of so many CSS px is seen, minutes of arc. */
export function arcMinutes(px: number, place: ScreenPlace, viewport: Viewport): number {
  const mm = (px * screenWidthMm(place.diagonalInches, viewport)) / viewport.width;
  return (Math.atan2(mm, place.distanceMetres * 1000) * 180 * 60) / Math.PI;
}

/** How many tiles stand side by side. @param factor of {@link screenFactor} */
export function columnsOf(factor: number, { width }: Viewport): number {
  const margin = MARGIN_PX * (width / DRAWN.widthPx);
  return Math.max(1, Math.floor((width - margin) / (TILE_PX * factor)));
}

/** A screen lower than this, px of the drawn screen, has no room for a tile above another as they are drawn. */
const TIGHT_BELOW_PX = 750;

/**
 * True where what has to be read fills the screen: a small one that is read from afar. Everything stands closer
 * there, and is as large as anywhere else.
 *
 * @param factor of {@link screenFactor}
 */
export function isTight(factor: number, { height }: Viewport): boolean {
  return height / factor < TIGHT_BELOW_PX;
}

/** Heights of a tile and of the gap between two, px of the drawn screen. */
const TILE_HEIGHT_PX = { wide: 236, tight: 116 } as const;
const TILE_GAP_PX = { wide: 22, tight: 10 } as const;

/** Between two tiles, CSS px. */
export const tileGap = (factor: number, tight: boolean): number =>
  TILE_GAP_PX[tight ? "tight" : "wide"] * factor;

/** How many rows of tiles have room in so many CSS px. */
export function rowsOf(factor: number, height: number, tight: boolean): number {
  const gap = tileGap(factor, tight);
  return Math.max(1, Math.floor((height + gap) / (TILE_HEIGHT_PX[tight ? "tight" : "wide"] * factor + gap)));
}

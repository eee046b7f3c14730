/** Heights of the list over the map of a phone: its heading alone, half of the screen, nearly all of it. */
export const SHEET_HEIGHTS = ["peek", "half", "full"] as const;
export type SheetHeight = (typeof SHEET_HEIGHTS)[number];

/** Height of the heading alone, CSS px. */
export const PEEK_PX = 76;
const HALF_SHARE = 0.48;
const FULL_SHARE = 0.94;

/** A height in CSS px of a room of `room` CSS px. */
export function sheetPx(height: SheetHeight, room: number): number {
  if (height === "peek") return Math.min(PEEK_PX, room);
  return Math.round(room * (height === "half" ? HALF_SHARE : FULL_SHARE));
}

/** Return the height nearest to the px that the list was dragged to. */
export function settled(px: number, room: number): SheetHeight {
  return SHEET_HEIGHTS.reduce((nearest, height) =>
    Math.abs(sheetPx(height, room) - px) < Math.abs(sheetPx(nearest, room) - px) ? height : nearest,
  );
}

/** Return the height after a press on the handle: one step up, and from the top back to the heading. */
export function pressed(height: SheetHeight): SheetHeight {
  switch (height) {
    case "peek":
      return "half";
    case "half":
      return "full";
    case "full":
      return "peek";
  }
}

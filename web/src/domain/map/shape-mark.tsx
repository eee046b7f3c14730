import { BOX, MARK_OUTLINES } from "./mark-outlines.ts";
import type { MarkShape } from "./marker.ts";

/** Draw a marker as on the map, beside a name: explains the shape. */
export function ShapeMark({ shape, size = 16 }: { shape: MarkShape; size?: number }) {
  return (
    <svg viewBox={`0 0 ${BOX} ${BOX}`} width={size} height={size} fill="currentColor" aria-hidden>
      <path d={MARK_OUTLINES[shape]} />
    </svg>
  );
}

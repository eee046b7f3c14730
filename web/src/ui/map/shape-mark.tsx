import { BOX, MARK_OUTLINES } from "./mark-outlines.ts";
import type { MarkShape } from "./marker.ts";

/** A mark as the map draws it, beside a name: which shape stands for what. */
export function ShapeMark({ shape, size = 16 }: { shape: MarkShape; size?: number }) {
  return (
    <svg viewBox={`0 0 ${BOX} ${BOX}`} width={size} height={size} fill="currentColor" aria-hidden>
      <path d={MARK_OUTLINES[shape]} />
    </svg>
  );
}

import type { NextFrame } from "./state-stream.ts";

/**
 * Pictures of this browser. The first flush brings the whole farm, and what is drawn of it takes longer than a picture
 * may: it has a task of its own, so that a press is heard between it and the layout.
 */
export function browserFrames(): NextFrame {
  let isFirst = true;
  return (flush) => {
    if (isFirst) setTimeout(flush);
    else requestAnimationFrame(flush);
    isFirst = false;
  };
}

import type { NextFrame } from "./state-stream.ts";

/**
 * Schedule flushes by animation frame. The first flush contains the whole farm, and rendering it exceeds a
 * frame. It gets a separate task, so that input is handled between it and the layout.
 */
export function browserFrames(): NextFrame {
  let isFirst = true;
  return (flush) => {
    if (isFirst) setTimeout(flush);
    else requestAnimationFrame(flush);
    isFirst = false;
  };
}

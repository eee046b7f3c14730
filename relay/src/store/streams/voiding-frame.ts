import type { Frame } from "../streams.ts";

const NOTHING = Buffer.alloc(0);

/**
 * Return a frame that follows no position: every session that receives it catches up by `changesSince`. It
 * is for a copy that changed other than by a step.
 */
export const voidingFrame = (offset: number): Frame => ({ from: -1, offset, keys: [], bytes: NOTHING });

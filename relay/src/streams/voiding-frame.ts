import type { Frame } from "../ports/streams.ts";

const NOTHING = Buffer.alloc(0);

/**
 * A frame that follows on no position: every session that hears it catches up by `changesSince` instead of being
 * sent it. For a copy that moved by other means than a step.
 */
export const voidingFrame = (offset: number): Frame => ({ from: -1, offset, keys: [], bytes: NOTHING });

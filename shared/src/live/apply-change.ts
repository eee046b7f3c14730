import type { Change, StateMap } from "./server-messages.ts";

/** Effect of a frame on a client's copy. */
export type Applied = { applied: true; keys: string[] } | { applied: false };

/** Copy of a stream at a client or node: whole values by key. */
export type StateCopy = Map<string, Readonly<Record<string, unknown>>>;

/**
 * Apply one frame to a copy at `offset` (SUB-1). A frame for another offset is ignored: the client subscribes
 * again with its position.
 *
 * A patch replaces the top-level fields of a value one by one; a patch of a key that the copy lacks starts
 * it.
 */
export function applyChange(copy: StateCopy, offset: number, frame: Change): Applied {
  if (frame.from !== offset) return { applied: false };
  const keys: string[] = [];
  for (const [key, value] of Object.entries(frame.set ?? {})) {
    copy.set(key, value);
    keys.push(key);
  }
  for (const [key, part] of Object.entries(frame.patch ?? {})) {
    copy.set(key, { ...copy.get(key), ...part });
    keys.push(key);
  }
  for (const key of frame.del ?? []) {
    if (copy.delete(key)) keys.push(key);
  }
  return { applied: true, keys };
}

/** Put one part of a snapshot into a copy; the first part empties it first. */
export function applySnapshotPart(copy: StateCopy, part: number, state: StateMap): void {
  if (part === 1) copy.clear();
  for (const [key, value] of Object.entries(state)) copy.set(key, value);
}

import type { Position } from "@mulkko/shared/live/client-messages";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { CatchUp, StateValue } from "./streams.ts";

interface Versioned {
  readonly value: StateValue;
  /** Offset of the step that last changed the key. */
  readonly offset: number;
}

interface Tombstone {
  readonly offset: number;
  /** Monotonic ms. */
  readonly at: number;
}

/**
 * The state of a stream without a log of frames (SUB-4). It holds the value of each key with the offset of
 * its last change. Tombstones of removed keys stay for 24 h, at most 1,000.
 */
export interface VersionedState {
  readonly epoch: string;
  offset: number;
  readonly values: Map<string, Versioned>;
  /** Ordered by offset. */
  readonly tombstones: Map<string, Tombstone>;
  /** A reader before this offset may have missed a tombstone that was dropped. */
  floor: number;
}

/** One change of the state: whole values, and removed keys. */
export interface Step {
  readonly set: ReadonlyMap<string, StateValue>;
  readonly del: readonly string[];
}

/** Return an empty state at the start of an epoch. */
export function emptyState(epoch: string): VersionedState {
  return { epoch, offset: 0, values: new Map(), tombstones: new Map(), floor: 0 };
}

/**
 * Apply one step: one flush, one offset (SUB-1).
 *
 * @param now monotonic ms, for the age of tombstones
 */
export function applyStep(state: VersionedState, step: Step, now: number): void {
  state.offset += 1;
  for (const [key, value] of step.set) {
    state.values.set(key, { value, offset: state.offset });
    state.tombstones.delete(key);
  }
  for (const key of step.del) {
    if (!state.values.delete(key)) continue;
    state.tombstones.delete(key);
    state.tombstones.set(key, { offset: state.offset, at: now });
  }
  dropOldTombstones(state, now);
}

function dropOldTombstones(state: VersionedState, now: number): void {
  for (const [key, tombstone] of state.tombstones) {
    const tooMany = state.tombstones.size > LIVE_LIMITS.tombstones;
    if (!tooMany && now - tombstone.at <= LIVE_LIMITS.tombstoneMs) return;
    state.tombstones.delete(key);
    state.floor = Math.max(state.floor, tombstone.offset);
  }
}

/**
 * Return what brings a reader to the present (SUB-3): values of keys changed after its position, and keys
 * removed since. A snapshot is returned for another epoch, or for an offset ahead of the state or before the
 * tombstone floor.
 *
 * @param keys narrows the answer to these keys
 */
export function changesSince(
  state: VersionedState,
  position: Position | undefined,
  keys?: ReadonlySet<string>,
): CatchUp {
  const { epoch, offset } = state;
  const wanted = (key: string): boolean => keys?.has(key) ?? true;
  const resumable =
    position !== undefined &&
    position.epoch === epoch &&
    position.offset <= offset &&
    position.offset >= state.floor;
  if (!resumable) {
    const all: Record<string, StateValue> = {};
    for (const [key, entry] of state.values) if (wanted(key)) all[key] = entry.value;
    return { kind: "snapshot", epoch, offset, state: all };
  }
  const set: Record<string, StateValue> = {};
  const del: string[] = [];
  if (position.offset < offset) {
    for (const [key, entry] of state.values) {
      if (entry.offset > position.offset && wanted(key)) set[key] = entry.value;
    }
    for (const [key, tombstone] of state.tombstones) {
      if (tombstone.offset > position.offset && wanted(key)) del.push(key);
    }
  }
  return { kind: "resume", epoch, from: position.offset, offset, set, del };
}

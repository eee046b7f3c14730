import type { Position } from "@mulkko/shared/live/client-messages";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { CatchUp, StateValue } from "../ports/streams.ts";

interface Versioned {
  readonly value: StateValue;
  /** Offset of the step that changed it last. */
  readonly offset: number;
}

interface Tombstone {
  readonly offset: number;
  /** ms on a clock that does not jump */
  readonly at: number;
}

/**
 * The state of a stream without a log of frames (SUB-4): per key its value and the offset of its last change, per
 * removed key a tombstone for 24 h, at most 1,000.
 */
export interface VersionedState {
  readonly epoch: string;
  offset: number;
  readonly values: Map<string, Versioned>;
  /** In the order of their offsets. */
  readonly tombstones: Map<string, Tombstone>;
  /** A reader before this offset may have missed a tombstone that is gone. */
  floor: number;
}

/** What one step does: whole values, and keys that are gone. */
export interface Step {
  readonly set: ReadonlyMap<string, StateValue>;
  readonly del: readonly string[];
}

/** An empty state that begins an epoch. */
export function emptyState(epoch: string): VersionedState {
  return { epoch, offset: 0, values: new Map(), tombstones: new Map(), floor: 0 };
}

/**
 * Applies one step: one flush, one offset (SUB-1).
 *
 * @param now ms on a clock that does not jump, for the age of tombstones
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
 * The one way of catching up (SUB-3): whole values of keys changed after a position and keys removed since, or a
 * snapshot where the epoch is another, the offset lies ahead, or before the floor of tombstones.
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

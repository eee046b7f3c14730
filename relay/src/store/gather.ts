import type { StateStream } from "@mulkko/shared/live/client-messages";
import type { Change } from "@mulkko/shared/live/server-messages";
import { changedFields, keepsFields } from "./json.ts";
import type { Frame, StateValue } from "./streams.ts";

type Pending =
  | { kind: "set"; value: StateValue }
  | { kind: "patch"; fields: StateValue; value: StateValue }
  | { kind: "del" };

/** Changes of one account between two flushes, each key once (SUB-1). */
export interface Gathering {
  readonly pending: Map<string, Pending>;
  /** The values of the keys after the next flush. */
  readonly values: Map<string, StateValue>;
}

/** Content of one flush: the fields of a `change` frame, and the whole values for the store. */
export interface Gathered {
  readonly set: Record<string, StateValue>;
  readonly patch: Record<string, StateValue>;
  readonly del: string[];
  readonly whole: Map<string, StateValue>;
}

export function emptyGathering(): Gathering {
  return { pending: new Map(), values: new Map() };
}

/** Set a whole value, sent as a patch when that is equivalent. Return false when nothing differs. */
export function gatherSet(gathering: Gathering, key: string, value: StateValue): boolean {
  const before = gathering.values.get(key);
  if (before !== undefined && keepsFields(before, value)) return gatherPatch(gathering, key, value) !== null;
  gathering.values.set(key, value);
  gathering.pending.set(key, { kind: "set", value });
  return true;
}

/** Replace top-level fields and return those that differ; null when none does. */
export function gatherPatch(gathering: Gathering, key: string, fields: StateValue): StateValue | null {
  const before = gathering.values.get(key);
  const changed = changedFields(before, fields);
  if (changed === null) return null;
  const value = { ...before, ...changed };
  const pending = gathering.pending.get(key);
  const whole = before === undefined || pending?.kind === "set" || pending?.kind === "del";
  const earlier = pending?.kind === "patch" ? pending.fields : undefined;
  gathering.values.set(key, value);
  gathering.pending.set(
    key,
    whole ? { kind: "set", value } : { kind: "patch", fields: { ...earlier, ...changed }, value },
  );
  return changed;
}

/** Remove a key. Return false when it does not exist. */
export function gatherDel(gathering: Gathering, key: string): boolean {
  if (!gathering.values.delete(key)) return false;
  gathering.pending.set(key, { kind: "del" });
  return true;
}

/** Take all pending changes for one frame. */
export function takeGathered(gathering: Gathering): Gathered {
  const gathered: Gathered = { set: {}, patch: {}, del: [], whole: new Map() };
  for (const [key, change] of gathering.pending) {
    switch (change.kind) {
      case "set":
        gathered.set[key] = change.value;
        gathered.whole.set(key, change.value);
        break;
      case "patch":
        gathered.patch[key] = change.fields;
        gathered.whole.set(key, change.value);
        break;
      case "del":
        gathered.del.push(key);
        break;
    }
  }
  gathering.pending.clear();
  return gathered;
}

/** Merge a flush that could not be stored below the changes gathered since. */
export function putBack(gathering: Gathering, gathered: Gathered): void {
  for (const [key, value] of gathered.whole) {
    if (!gathering.pending.has(key)) gathering.pending.set(key, { kind: "set", value });
    else {
      const current = gathering.values.get(key);
      if (current !== undefined) gathering.pending.set(key, { kind: "set", value: current });
    }
  }
  for (const key of gathered.del) {
    if (!gathering.pending.has(key)) gathering.pending.set(key, { kind: "del" });
  }
}

/** Build the `change` message of one flush, serialised once for all sessions (SUB-6). */
export function changeFrame(from: number, gathered: Gathered, stream: StateStream = "devices"): Frame {
  const { set, patch, del } = gathered;
  const offset = from + 1;
  const message: Change = {
    t: "change",
    stream,
    from,
    offset,
    ...(Object.keys(set).length > 0 && { set }),
    ...(Object.keys(patch).length > 0 && { patch }),
    ...(del.length > 0 && { del }),
  };
  const keys = [...gathered.whole.keys(), ...del];
  return { from, offset, keys, bytes: Buffer.from(JSON.stringify(message)) };
}

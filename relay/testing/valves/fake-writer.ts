import type { LiveEvent } from "@mulkko/shared/live/events";
import type { AccountWriter } from "../../src/account/writer.ts";
import type { Log } from "../../src/runtime/log.ts";
import { changedFields } from "../../src/store/json.ts";
import type { StateValue } from "../../src/store/streams.ts";

/** The account's copy, without frames; it records its events. */
export interface FakeWriter extends AccountWriter {
  readonly events: LiveEvent[];
  /** Called for every patch, before it is applied. */
  onPatch: (key: string, fields: StateValue) => void;
}

export function createFakeWriter(): FakeWriter {
  const values = new Map<string, StateValue>();
  const writer: FakeWriter = {
    events: [],
    onPatch: () => undefined,
    get: (key) => values.get(key),
    keys: () => values.keys(),
    set(key, value) {
      const changed = changedFields(values.get(key), value) !== null;
      values.set(key, value);
      return changed;
    },
    patch(key, fields) {
      writer.onPatch(key, fields);
      const changed = changedFields(values.get(key), fields);
      values.set(key, { ...values.get(key), ...fields });
      return changed;
    },
    del: (key) => values.delete(key),
    event: (event) => void writer.events.push(event),
  };
  return writer;
}

/** Create a log that records its errors. */
export function createFakeLog(): Log & { readonly errors: string[] } {
  const errors: string[] = [];
  return {
    errors,
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (_fields, message) => void errors.push(message),
  };
}

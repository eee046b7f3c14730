import type { LiveEvent } from "@mulkko/shared/live/events";
import type { AccountWriter } from "../account/writer.ts";
import { changedFields } from "../store/diff.ts";
import type { StateValue } from "../store/streams.ts";

/** Observes the changes of a writer. */
export interface WriterTap {
  /** Handle a change. `fields` are the new ones; undefined if the whole value is new or removed. */
  changed(key: string, fields: StateValue | undefined): void;
  event(event: LiveEvent): void;
}

/**
 * Return the same writer with an observer of every change after it was made. Writes that change nothing are
 * passed on, but not observed.
 */
export function tapWriter(writer: AccountWriter, tap: WriterTap): AccountWriter {
  return {
    get: writer.get,
    keys: writer.keys,
    set(key, value) {
      const before = writer.get(key);
      writer.set(key, value);
      if (changedFields(before, value) !== null) tap.changed(key, undefined);
    },
    patch(key, fields) {
      const changed = changedFields(writer.get(key), fields);
      if (changed === null) return;
      writer.patch(key, changed);
      tap.changed(key, changed);
    },
    del(key) {
      const before = writer.get(key);
      writer.del(key);
      if (before !== undefined) tap.changed(key, undefined);
    },
    event(event) {
      writer.event(event);
      tap.event(event);
    },
  };
}

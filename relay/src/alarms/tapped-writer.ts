import type { LiveEvent } from "@mulkko/shared/live/events";
import { changedFields } from "../core/diff.ts";
import type { StateValue } from "../ports/streams.ts";
import type { AccountWriter } from "../ports/writer.ts";

/** Who listens at a writer. */
export interface WriterTap {
  /** `fields` are those that are new; undefined where the whole value is, or is gone. */
  changed(key: string, fields: StateValue | undefined): void;
  event(event: LiveEvent): void;
}

/**
 * The same writer, with somebody who hears of every change after it was made. What changes nothing is passed on and
 * not told.
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

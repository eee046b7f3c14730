import type { LiveEvent } from "@mulkko/shared/live/events";
import type { StateValue } from "./streams.ts";

/** Where an account's owner puts what has changed; gathered and flushed as one frame (SUB-1, SUB-6). */
export interface AccountWriter {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
  set(key: string, value: StateValue): void;
  /** Replaces top-level fields; fields that are equal already are left out, and nothing is sent for none. */
  patch(key: string, fields: StateValue): void;
  del(key: string): void;
  /** Flushes the pending state first, then appends the event (SUB-6). */
  event(event: LiveEvent): void;
}

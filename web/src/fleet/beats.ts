import { systemClock } from "@mulkko/shared/rules/clock";
import { useCallback, useSyncExternalStore } from "react";
import { browserTimers } from "../live/timers.ts";
import type { RestClient } from "../rest/client.ts";
import { fetchBeats } from "../rest/fleet-beats.ts";
import { useClient } from "../rest/hooks.ts";
import { type BeatsBook, createBeatsBook } from "./beats-book.ts";

/** One book for all rows; it lives as long as the client that asks. */
const books = new WeakMap<RestClient, BeatsBook>();

function bookOf(client: RestClient): BeatsBook {
  const known = books.get(client);
  if (known) return known;
  const book = createBeatsBook({
    fetch: (ids) => fetchBeats(client, ids),
    timers: browserTimers,
    clock: systemClock,
  });
  books.set(client, book);
  return book;
}

const IN_KEY = "device:".length;

/** The heartbeats of a device, asked for while somebody looks at them; undefined while they are not known. */
export function useBeats(key: string): string | undefined {
  const book = bookOf(useClient());
  const id = key.slice(IN_KEY);
  const subscribe = useCallback((listener: () => void) => book.subscribe(id, listener), [book, id]);
  return useSyncExternalStore(subscribe, () => book.get(id));
}

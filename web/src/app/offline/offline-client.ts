import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { createEventLog } from "../../live/event-log.ts";
import { createIngest } from "../../live/ingest.ts";
import { createLinkStore } from "../../live/link.ts";
import type { LiveClient } from "../../live/live-client.ts";
import { createServerClock } from "../../live/server-clock.ts";
import { createLiveStore } from "../../live/store.ts";
import { createTicker } from "../../live/ticker.ts";
import { entriesOf, type StoredFarm } from "./stored-farm.ts";

const nothing = (): void => undefined;

/** Create a client with the stored farm: it has no connection and reports the time of the data. */
export function createOfflineClient(stored: StoredFarm): LiveClient {
  const store = createLiveStore();
  store.apply({ put: entriesOf(stored), remove: [] });
  const events = createEventLog();
  const link = createLinkStore();
  const at = Date.parse(stored.at);
  link.setState({ screen: { state: "notLive" }, silentSince: at });
  return {
    store,
    events,
    link,
    serverClock: createServerClock(systemClock),
    ticker: createTicker(),
    ingest: createIngest(store, events, nothing),
    timers: systemTimers,
    nextFrame: nothing,
    connection: {
      start: () => nothing,
      wake: nothing,
      online: nothing,
      doubt: nothing,
      update: nothing,
      silence: () => Math.max(0, systemClock.now() - at),
      join: () => nothing,
    },
    start: () => nothing,
  };
}

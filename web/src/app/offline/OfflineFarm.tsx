import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { type ReactNode, useMemo, useState } from "react";
import { Outlet } from "react-router-dom";
import { createStore } from "zustand";
import { NoAnswerError } from "../../api/errors.ts";
import { type Rest, useRest } from "../../api/hooks.ts";
import { liveTokens } from "../../api/live-tokens.ts";
import { RestProvider, useRestQuery } from "../../api/queries.tsx";
import type { SessionState } from "../../api/session.ts";
import { LiveProvider } from "../../live/hooks.ts";
import { createEventLog, createIngest } from "../../live/ingest.ts";
import { createLinkStore } from "../../live/link.ts";
import type { LiveClient } from "../../live/live-client.ts";
import { createTicker } from "../../live/live-client.ts";
import { createServerClock } from "../../live/server-clock.ts";
import { createLiveStore } from "../../live/store.ts";
import { createOfflineCache } from "./offline-cache.ts";
import { entriesOf, parseStoredFarm, type StoredFarm } from "./store-farm.ts";

const nothing = (): void => undefined;

/** Create a client with the stored farm: it has no connection and reports the time of the data. */
function createOfflineClient(stored: StoredFarm): LiveClient {
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
      hurry: () => nothing,
      update: nothing,
      silence: () => Math.max(0, systemClock.now() - at),
      join: () => nothing,
    },
    start: () => nothing,
  };
}

/**
 * Render the pages without a network: the stored farm of the signed-in account, without queries and commands.
 * The session keeps retrying and then replaces these pages.
 *
 * @param otherwise rendered if nothing is stored
 */
export function OfflineFarm({ otherwise }: { otherwise: ReactNode }) {
  const rest = useRest();
  // A browser without a database has stored nothing.
  const { data: stored } = useRestQuery(["stored-farm"], async () =>
    parseStoredFarm(await createOfflineCache().read()),
  );
  return stored ? <StoredPages stored={stored} rest={rest} /> : otherwise;
}

/** Return a signed-in session without a server. */
function offlineRest({ session }: Rest, { account }: StoredFarm): Rest {
  const store = createStore<SessionState>(() => ({ state: "signed-in", account, accessToken: "" }));
  return {
    session: { ...session, store },
    client: { call: () => Promise.reject(new NoAnswerError("there is no network")) },
  };
}

function StoredPages({ stored, rest }: { stored: StoredFarm; rest: Rest }) {
  const offline = useMemo(() => offlineRest(rest, stored), [rest, stored]);
  const [client] = useState(() => createOfflineClient(stored));
  return (
    <RestProvider rest={offline}>
      <LiveProvider client={client} tokens={liveTokens(rest.session)}>
        <Outlet />
      </LiveProvider>
    </RestProvider>
  );
}

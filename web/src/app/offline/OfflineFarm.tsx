import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Outlet } from "react-router-dom";
import { createStore } from "zustand";
import { LiveProvider } from "../../live/hooks.ts";
import { NoAnswerError } from "../../rest/errors.ts";
import { type Rest, RestContext, useRest } from "../../rest/hooks.ts";
import type { SessionState } from "../../rest/session.ts";
import { liveTokens } from "../live-tokens.ts";
import { type KeptFarm, readKept } from "./kept-farm.ts";
import { createOfflineClient } from "./offline-client.ts";
import { createShelf } from "./shelf.ts";

/**
 * The pages without a network: the farm as it was kept, under the account that was signed in. Nothing can be asked and
 * no command given; the session goes on trying, and its pages take the place of these.
 *
 * @param otherwise where nothing was kept
 */
export function OfflineFarm({ otherwise }: { otherwise: ReactNode }) {
  const rest = useRest();
  const [kept, setKept] = useState<KeptFarm | null>(null);
  useEffect(() => {
    let wanted = true;
    createShelf()
      .read()
      .then(
        (raw) => wanted && setKept(readKept(raw)),
        // A browser without a database has kept nothing.
        () => undefined,
      );
    return () => {
      wanted = false;
    };
  }, []);
  return kept ? <Kept kept={kept} rest={rest} /> : otherwise;
}

/** The session of the pages below: signed in, with nobody to ask. */
function offlineRest({ session }: Rest, { account }: KeptFarm): Rest {
  const store = createStore<SessionState>(() => ({ state: "signed-in", account, accessToken: "" }));
  return {
    session: { ...session, store },
    client: { call: () => Promise.reject(new NoAnswerError("there is no network")) },
  };
}

function Kept({ kept, rest }: { kept: KeptFarm; rest: Rest }) {
  const offline = useMemo(() => offlineRest(rest, kept), [rest, kept]);
  const [client] = useState(() => createOfflineClient(kept));
  return (
    <RestContext value={offline}>
      <LiveProvider client={client} tokens={liveTokens(rest.session)}>
        <Outlet />
      </LiveProvider>
    </RestContext>
  );
}

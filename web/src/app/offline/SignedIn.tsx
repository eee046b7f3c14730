import type { Account } from "@mulkko/shared/entities/account";
import { systemTimers } from "@mulkko/shared/rules/clock";
import { useEffect, useMemo, useState } from "react";
import { Outlet } from "react-router-dom";
import { watchAnswers } from "../../api/client.ts";
import { type Rest, useRest } from "../../api/hooks.ts";
import { RestProvider } from "../../api/queries.tsx";
import { LiveProvider } from "../../live/hooks.ts";
import { createLiveClient } from "../../live/live-client.ts";
import { liveTokens } from "../live-tokens.ts";
import { createOfflineCache } from "./offline-cache.ts";
import { keepFarm } from "./store-farm.ts";

/** Render a signed-in account: connected, with its readings stored. Requires the account's id as `key`. */
export function SignedIn({ account }: { account: Account }) {
  const rest = useRest();
  const [tokens] = useState(() => liveTokens(rest.session));
  const [client] = useState(() => createLiveClient(tokens));
  const watched = useMemo(
    (): Rest => ({ ...rest, client: watchAnswers(rest.client, client.connection.doubt) }),
    [rest, client],
  );
  useEffect(() => keepFarm(client, account, createOfflineCache(), systemTimers), [client, account]);
  return (
    <RestProvider rest={watched}>
      <LiveProvider client={client} tokens={tokens}>
        <Outlet />
      </LiveProvider>
    </RestProvider>
  );
}

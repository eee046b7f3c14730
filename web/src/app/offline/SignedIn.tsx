import type { Account } from "@mulkko/shared/entities/account";
import { useEffect, useMemo, useState } from "react";
import { Outlet } from "react-router-dom";
import { LiveProvider } from "../../live/hooks.ts";
import { createLiveClient } from "../../live/live-client.ts";
import { browserTimers } from "../../live/timers.ts";
import { watchAnswers } from "../../rest/client.ts";
import { type Rest, RestContext, useRest } from "../../rest/hooks.ts";
import { liveTokens } from "../live-tokens.ts";
import { keepFarm } from "./keep-farm.ts";
import { createShelf } from "./shelf.ts";

/** The pages of an account: connected, with their readings kept. Wants the account's id as its `key`. */
export function SignedIn({ account }: { account: Account }) {
  const rest = useRest();
  const [tokens] = useState(() => liveTokens(rest.session));
  const [client] = useState(() => createLiveClient(tokens));
  const watched = useMemo(
    (): Rest => ({ ...rest, client: watchAnswers(rest.client, client.connection.doubt) }),
    [rest, client],
  );
  useEffect(() => keepFarm(client, account, createShelf(), browserTimers), [client, account]);
  return (
    <RestContext value={watched}>
      <LiveProvider client={client} tokens={tokens}>
        <Outlet />
      </LiveProvider>
    </RestContext>
  );
}

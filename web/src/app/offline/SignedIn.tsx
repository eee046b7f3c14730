import type { Account } from "@mulkko/shared/entities/account";
import { useEffect, useState } from "react";
import { Outlet } from "react-router-dom";
import { LiveProvider } from "../../live/hooks.ts";
import { createLiveClient } from "../../live/live-client.ts";
import { browserTimers } from "../../live/timers.ts";
import { useRest } from "../../rest/hooks.ts";
import { liveTokens } from "../live-tokens.ts";
import { keepFarm } from "./keep-farm.ts";
import { createShelf } from "./shelf.ts";

/** The pages of an account: connected, with their readings kept. Wants the account's id as its `key`. */
export function SignedIn({ account }: { account: Account }) {
  const { session } = useRest();
  const [tokens] = useState(() => liveTokens(session));
  const [client] = useState(() => createLiveClient(tokens));
  useEffect(() => keepFarm(client, account, createShelf(), browserTimers), [client, account]);
  return (
    <LiveProvider client={client} tokens={tokens}>
      <Outlet />
    </LiveProvider>
  );
}

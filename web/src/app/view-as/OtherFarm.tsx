import { Account } from "@mulkko/shared/entities/account";
import { apiPath } from "@mulkko/shared/rest/routes";
import { useEffect, useMemo, useState } from "react";
import { Outlet } from "react-router-dom";
import { createStore } from "zustand";
import { Preloader } from "../../components/progress.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { LiveProvider } from "../../live/hooks.ts";
import { createLiveClient } from "../../live/live-client.ts";
import { watchAnswers } from "../../rest/client.ts";
import { errorCode } from "../../rest/errors.ts";
import { type Rest, RestContext, useRest } from "../../rest/hooks.ts";
import { createReadingClient, type ReadAccount } from "../../rest/reading.ts";
import type { SessionState } from "../../rest/session.ts";
import { liveTokens } from "../live-tokens.ts";
import { ReadingBanner } from "./ReadingBanner.tsx";
import { Unreadable } from "./Unreadable.tsx";

interface OtherFarmProps {
  account: ReadAccount;
  /** The administrator. */
  by: Account;
}

type Loaded =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly code: string }
  | { readonly state: "there"; readonly account: Account };

/**
 * Render the pages of another account, read only (HS-2): their calls and streams name it, and none of its
 * data is stored. Requires the account's id as `key`.
 */
export function OtherFarm({ account, by }: OtherFarmProps) {
  const { t } = useTranslation("shell");
  const rest = useRest();
  const client = useMemo(() => createReadingClient(rest.client, account.id), [rest.client, account.id]);
  const [asked, setAsked] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the repeated requests
  useEffect(() => {
    const abort = new AbortController();
    setLoaded({ state: "loading" });
    client.call({ method: "GET", path: apiPath.accountInfo, answer: Account, signal: abort.signal }).then(
      (found) => setLoaded({ state: "there", account: found }),
      (error: unknown) => {
        if (!abort.signal.aborted) setLoaded({ state: "failed", code: errorCode(error) });
      },
    );
    return () => abort.abort();
  }, [client, asked]);
  switch (loaded.state) {
    case "loading":
      return (
        <>
          <ReadingBanner account={account} />
          <Preloader ready={false} label={t("preloader")} />
        </>
      );
    case "failed":
      return (
        <>
          <ReadingBanner account={account} />
          <Unreadable code={loaded.code} onAgain={() => setAsked((count) => count + 1)} />
        </>
      );
    case "there":
      return <ReadFarm rest={{ ...rest, client }} read={account} account={loaded.account} by={by} />;
  }
}

function ReadFarm(props: { rest: Rest; read: ReadAccount; account: Account; by: Account }) {
  const { rest, read, account, by } = props;
  const { session, client, reading } = rest;
  const [tokens] = useState(() => liveTokens(session));
  const [live] = useState(() => createLiveClient(tokens, undefined, read.id));
  const shown = useMemo((): Rest => {
    const store = createStore<SessionState>(() => ({ state: "signed-in", account, accessToken: "" }));
    return {
      session: { ...session, store },
      client: watchAnswers(client, live.connection.doubt),
      readsAs: { account: read, by },
      ...(reading && { reading }),
    };
  }, [session, client, live, reading, account, read, by]);
  return (
    <RestContext value={shown}>
      <LiveProvider client={live} tokens={tokens}>
        <div className="reading">
          <ReadingBanner account={read} farm={account.farmAddress ?? undefined} />
          <Outlet />
        </div>
      </LiveProvider>
    </RestContext>
  );
}

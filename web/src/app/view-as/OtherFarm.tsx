import { Button } from "@chakra-ui/react";
import { Account } from "@mulkko/shared/entities/account";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router-dom";
import { createStore } from "zustand";
import { watchAnswers } from "../../api/client.ts";
import { errorCode } from "../../api/errors.ts";
import { type Rest, useRest } from "../../api/hooks.ts";
import { liveTokens } from "../../api/live-tokens.ts";
import { RestProvider, useRestQuery } from "../../api/queries.tsx";
import type { SessionState } from "../../api/session.ts";
import { createReadingClient, type ReadAccount } from "../../api/view-as.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Preloader } from "../../components/progress.tsx";
import { LostLink } from "../../components/scenes/lost-link.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { LiveProvider } from "../../live/hooks.ts";
import { createLiveClient } from "../../live/live-client.ts";
import { ReadingBanner } from "./ReadingBanner.tsx";

interface OtherFarmProps {
  account: ReadAccount;
  /** The administrator. */
  by: Account;
}

/**
 * Render the pages of another account, read only (HS-2): their calls and streams name it, and none of its
 * data is stored. Requires the account's id as `key`.
 */
export function OtherFarm({ account, by }: OtherFarmProps) {
  const { t } = useTranslation(["shell", "common"]);
  const labels = useLabels();
  const rest = useRest();
  const client = useMemo(() => createReadingClient(rest.client, account.id), [rest.client, account.id]);
  const { data, error, refetch, isFetching } = useRestQuery(["viewed-account", account.id], (_, signal) =>
    client.call({ ...callOf(accountInfo, {}), answer: Account, signal }),
  );
  if (data !== null) return <ReadFarm rest={{ ...rest, client }} read={account} account={data} by={by} />;
  return (
    <>
      <ReadingBanner account={account} />
      {error === null || isFetching ? (
        <Preloader ready={false} label={t("preloader")} />
      ) : (
        // The relay has no session of its own there, or does not answer.
        <EmptyState
          scene={<LostLink />}
          title={t("reading.unreadable")}
          action={
            <Button size="lg" variant="outline" onClick={() => void refetch()}>
              {t("common:action.retry")}
            </Button>
          }
        >
          {errorCode(error) === "forbidden" ? t("reading.noSession") : labels.error(errorCode(error))}
        </EmptyState>
      )}
    </>
  );
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
      client: watchAnswers(client, live.connection),
      readsAs: { account: read, by },
      ...(reading && { reading }),
    };
  }, [session, client, live, reading, account, read, by]);
  return (
    <RestProvider rest={shown}>
      <LiveProvider client={live} tokens={tokens}>
        <div className="reading">
          <ReadingBanner account={read} farm={account.farmAddress ?? undefined} />
          <Outlet />
        </div>
      </LiveProvider>
    </RestProvider>
  );
}

import type { Account } from "@mulkko/shared/entities/account";
import { systemTimers } from "@mulkko/shared/rules/clock";
import { Suspense, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { watchAnswers } from "../api/client.ts";
import { type Rest, useAccount, useRest, useSession } from "../api/hooks.ts";
import { liveTokens } from "../api/live-tokens.ts";
import { RestProvider } from "../api/queries.tsx";
import type { SessionState } from "../api/session.ts";
import type { ReadAccount } from "../api/view-as.ts";
import { LinkBanner } from "../components/alerts.tsx";
import { lazyPart } from "../components/lazy/retried.ts";
import { Preloader } from "../components/progress.tsx";
import { followAccount } from "../i18n/translations.ts";
import { LiveProvider } from "../live/hooks.ts";
import { createLiveClient } from "../live/live-client.ts";
import { OfflineFarm } from "./offline/OfflineFarm.tsx";
import { createOfflineCache } from "./offline/offline-cache.ts";
import { keepFarm } from "./offline/store-farm.ts";
import { ADMIN_PATH, homeOf } from "./page.ts";

/** For administrators only. */
const OtherFarm = lazyPart(() => import("./view-as/OtherFarm.tsx").then((m) => m.OtherFarm));

/** Placeholder without a viewed account. */
const NO_ACCOUNT = createStore<ReadAccount | null>(() => null);

/** Render the pages of the signed-in account, or of the account that its administrator views (HS-2). */
function AccountPages({ account }: { account: Account }) {
  const { reading } = useRest();
  const { pathname } = useLocation();
  const read = useStore(reading?.store ?? NO_ACCOUNT);
  const onAdminPages = pathname === ADMIN_PATH || pathname.startsWith(`${ADMIN_PATH}/`);
  useEffect(() => {
    // Viewing ends on the administrators' pages, also after back navigation or a reload.
    if (onAdminPages) reading?.leave();
  }, [onAdminPages, reading]);
  if (read !== null && !onAdminPages) {
    return (
      <Suspense fallback={null}>
        <OtherFarm key={read.id} account={read} by={account} />
      </Suspense>
    );
  }
  return <SignedIn key={`${account.id}`} account={account} />;
}

/**
 * Return the session that the page shows. The first page is rendered in small tasks, so that a slow phone handles
 * input meanwhile. A logout removes the pages at once: they need an account.
 */
export function useShownSession(): SessionState {
  const current = useSession();
  const deferred = useDeferredValue(current);
  return deferred.state === "starting" ? deferred : current;
}

/**
 * Guard of the pages behind the login. A signed-out user goes to /login and returns to the requested page.
 */
export function Protected() {
  const session = useShownSession();
  const location = useLocation();
  const language = session.state === "signed-in" ? session.account.language : null;
  useEffect(() => {
    // If the translations fail to load, the page keeps its language.
    followAccount(language).catch(() => undefined);
  }, [language]);
  switch (session.state) {
    case "starting":
      return session.unreachable ? (
        <OfflineFarm otherwise={<Starting unreachable />} />
      ) : (
        <Starting unreachable={false} />
      );
    case "signed-out": {
      // After a deliberate logout the next login starts at the dashboard.
      const origin = session.reason === "left" ? null : `${location.pathname}${location.search}`;
      return <Navigate to="/login" replace state={{ origin, reason: session.reason }} />;
    }
    case "signed-in":
      return <AccountPages account={session.account} />;
  }
}

/** Shown until the session is known; reports an unreachable server. */
function Starting({ unreachable }: { unreachable: boolean }) {
  const { t } = useTranslation(["shell", "common"]);
  return (
    <>
      {unreachable && <LinkBanner title={t("common:error.network")} detail={t("common:link.reconnecting")} />}
      <Preloader ready={unreachable} label={t("preloader")} />
    </>
  );
}

/** Render a signed-in account: connected, with its readings stored. Requires the account's id as `key`. */
function SignedIn({ account }: { account: Account }) {
  const rest = useRest();
  const [tokens] = useState(() => liveTokens(rest.session));
  const [client] = useState(() => createLiveClient(tokens));
  const watched = useMemo(
    (): Rest => ({ ...rest, client: watchAnswers(rest.client, client.connection) }),
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

/** Lead to the user's home after login. */
export function FirstPage() {
  return <Navigate to={homeOf(useAccount())} replace />;
}

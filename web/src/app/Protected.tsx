import { useEffect } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { followAccount } from "../i18n/index.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useSession } from "../rest/hooks.ts";
import { AccountPages } from "./AccountPages.tsx";
import { OfflineFarm } from "./offline/OfflineFarm.tsx";
import { Starting } from "./Starting.tsx";

/** Pages behind the login. Who is not signed in goes to /login and comes back to where they wanted to be. */
export function Protected() {
  const { t } = useTranslation("shell");
  const session = useSession();
  const location = useLocation();
  const language = session.state === "signed-in" ? session.account.language : null;
  useEffect(() => {
    // Words that cannot be fetched leave the page in the language that it speaks.
    followAccount(language).catch(() => undefined);
  }, [language]);
  switch (session.state) {
    case "starting":
      return session.unreachable ? (
        <OfflineFarm otherwise={<Starting unreachable label={t("preloader")} />} />
      ) : (
        <Starting unreachable={false} label={t("preloader")} />
      );
    case "signed-out": {
      // Who leaves on purpose starts over at the dashboard.
      const origin = session.reason === "left" ? null : `${location.pathname}${location.search}`;
      return <Navigate to="/login" replace state={{ origin, expired: session.reason === "expired" }} />;
    }
    case "signed-in":
      return <AccountPages account={session.account} />;
  }
}

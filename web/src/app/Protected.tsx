import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router-dom";
import { useSession } from "../api/hooks.ts";
import { followAccount } from "../i18n/translations.ts";
import { AccountPages } from "./AccountPages.tsx";
import { OfflineFarm } from "./offline/OfflineFarm.tsx";
import { Starting } from "./Starting.tsx";

/**
 * Guard of the pages behind the login. A signed-out user goes to /login and returns to the requested page.
 */
export function Protected() {
  const { t } = useTranslation("shell");
  const session = useSession();
  const location = useLocation();
  const language = session.state === "signed-in" ? session.account.language : null;
  useEffect(() => {
    // If the translations fail to load, the page keeps its language.
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
      // After a deliberate logout the next login starts at the dashboard.
      const origin = session.reason === "left" ? null : `${location.pathname}${location.search}`;
      return <Navigate to="/login" replace state={{ origin, expired: session.reason === "expired" }} />;
    }
    case "signed-in":
      return <AccountPages account={session.account} />;
  }
}

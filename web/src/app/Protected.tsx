import { useTranslation } from "react-i18next";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { LiveProvider } from "../live/hooks.ts";
import { useRest, useSession } from "../rest/hooks.ts";
import { liveTokens } from "./live-tokens.ts";
import { Starting } from "./Starting.tsx";

/** Pages behind the login. Who is not signed in goes to /login and comes back to where they wanted to be. */
export function Protected() {
  const { t } = useTranslation("shell");
  const session = useSession();
  const { session: source } = useRest();
  const location = useLocation();
  switch (session.state) {
    case "starting":
      return <Starting unreachable={session.unreachable} label={t("preloader")} />;
    case "signed-out": {
      // Who leaves on purpose starts over at the dashboard.
      const origin = session.reason === "left" ? null : `${location.pathname}${location.search}`;
      return <Navigate to="/login" replace state={{ origin, expired: session.reason === "expired" }} />;
    }
    case "signed-in":
      return (
        <LiveProvider key={`${session.account.id}`} tokens={liveTokens(source)}>
          <Outlet />
        </LiveProvider>
      );
  }
}

import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from "react-router-dom";
import { useSession } from "../api/hooks.ts";
import { useRemembersWays } from "../components/back-navigation.ts";
import { usePageName } from "../components/page-name.ts";
import { PendingBar } from "../components/progress.tsx";
import { useSurfaceOf } from "../theme/use-surface.ts";
import { titleOf } from "./page.ts";
import { usePageFocus } from "./use-page-focus.ts";

/** Root route: sets the surface from the address and the document's title from the page. */
export function Root() {
  const { pathname } = useLocation();
  useSurfaceOf(pathname);
  usePageFocus(pathname);
  useRemembersWays();
  useTitle();
  const { state } = useNavigation();
  return (
    <>
      <PendingBar pending={state !== "idle"} />
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** Set the document's title from the page's subject, else from its innermost route. */
function useTitle(): void {
  const { t, i18n } = useTranslation("common");
  const session = useSession();
  const isAdmin = session.state === "signed-in" && session.account.userType === "ADMIN";
  const key = titleOf(
    useMatches().map(({ handle }) => handle),
    isAdmin,
  );
  const [words = "", path = ""] = key?.split(":") ?? [];
  // A page's translations load with it, before its route is active.
  const route: unknown = i18n.getResource(i18n.language, words, path);
  const name = usePageName() ?? route;
  const title = typeof name === "string" ? `${name} · ${t("app.name")}` : t("app.name");
  useEffect(() => {
    document.title = title;
  }, [title]);
}

import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from "react-router-dom";
import { useSession } from "../api/hooks.ts";
import { useRemembersWays } from "../components/back-navigation.ts";
import { usePageName } from "../components/page-name.ts";
import { PendingBar } from "../components/progress.tsx";
import { useSurfaceOf } from "../theme/use-surface.ts";
import { titleOf } from "./page.ts";

/** The page itself, within header and navigation. */
const MAIN = "main";

/** Return true if the focus is in use: an auto-focused input, a persistent chip, a dialog. */
const isBusy = (element: Element | null): boolean =>
  element?.closest(`#${MAIN}, dialog, [role="dialog"], [role="alertdialog"]`) != null;

/**
 * Move the focus to a new page, so that keyboard and screen reader start there instead of at the link or the
 * top of the document. The first page, and another search of the same one, do not move it.
 */
function usePageFocus(pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (isBusy(document.activeElement)) return;
    document.getElementById(MAIN)?.focus({ preventScroll: true });
  }, [pathname]);
}

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
  const [texts = "", path = ""] = key?.split(":") ?? [];
  // A page's translations load with it, before its route is active.
  const route: unknown = i18n.getResource(i18n.language, texts, path);
  const name = usePageName() ?? route;
  const title = typeof name === "string" ? `${name} · ${t("app.name")}` : t("app.name");
  useEffect(() => {
    document.title = title;
  }, [title]);
}

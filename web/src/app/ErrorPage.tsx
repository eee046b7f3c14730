import { Button, Stack } from "@chakra-ui/react";
import { parseJson } from "@mulkko/shared/schema/parse";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useRevalidator, useRouteError } from "react-router-dom";
import { Type } from "typebox";
import { ErrorNote } from "../components/alerts.tsx";
import { nextAttempt } from "../components/lazy/retried.ts";
import { isPageHeld } from "../domain/form/unsaved.ts";
import { BUILD, isStaleBuild, RELOADED_KEY } from "../live/stale-build.ts";
import { PageMissing } from "./page.ts";

const Version = Type.Object({ build: Type.String() });

/** Fetch the currently served build; null without an answer. */
async function servedBuild(): Promise<string | null> {
  try {
    const answer = await fetch("/version.json", { cache: "no-store" });
    const version = parseJson(Version, await answer.text());
    return version.ok ? version.value.build : null;
  } catch {
    // Offline: there is nothing newer.
    return null;
  }
}

/** Session storage key: the address for which this tab has reloaded because its page failed to load. */
const MISSING_KEY = "mulkko.reloadedAt";

/** Number of consecutive failures after which the same document will not load the page. */
const HOPELESS_FROM = 3;

/**
 * Reload the document if that may load a missing page. Once per build if a newer client is served (HS-4), and
 * once per address whose parts fail to load although the relay answers.
 *
 * @param failures number of consecutive failed loads
 */
async function reloadForMissing(address: string, failures: number): Promise<void> {
  const served = await servedBuild();
  if (served === null) return;
  const facts = { own: BUILD, served, reloadedFor: sessionStorage.getItem(RELOADED_KEY) };
  if (isStaleBuild(facts)) sessionStorage.setItem(RELOADED_KEY, served);
  else if (failures >= HOPELESS_FROM && sessionStorage.getItem(MISSING_KEY) !== address)
    sessionStorage.setItem(MISSING_KEY, address);
  else return;
  window.location.reload();
}

/**
 * Replace a page that failed to render or load: offer a reload or the home page. A page that failed to load
 * is retried until it succeeds.
 */
export function ErrorPage() {
  const { t } = useTranslation(["common", "shell"]);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();
  const error = useRouteError();
  const missing = error instanceof PageMissing ? error : null;
  // Each failure is a new error object and triggers the next attempt.
  useEffect(() => {
    if (!missing) return;
    const stop = new AbortController();
    const again = async () => {
      if (!isPageHeld()) await reloadForMissing(pathname, missing.failures);
      await nextAttempt(stop.signal);
      if (!stop.signal.aborted) await revalidate();
    };
    void again();
    return () => stop.abort();
  }, [missing, pathname, revalidate]);
  return (
    <Stack gap="4" maxW="40rem" my="10vh" mx="auto" p="page" align="start">
      <ErrorNote
        action={
          <Button size="sm" onClick={() => window.location.reload()}>
            {t("action.reload")}
          </Button>
        }
      >
        {t(missing ? "error.network" : "error.unknown")}
      </ErrorNote>
      <Button size="sm" variant="outline" onClick={() => void navigate("/dashboard")}>
        {t("shell:notFound.home")}
      </Button>
    </Stack>
  );
}

import { Button, Stack } from "@chakra-ui/react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useRevalidator, useRouteError } from "react-router-dom";
import { ErrorNote } from "../components/alerts.tsx";
import { isPageHeld } from "../components/form/unsaved.ts";
import { nextAttempt } from "../components/lazy/retried.ts";
import { PageMissing } from "./page.ts";
import { reloadForMissing } from "./reload-stale.ts";

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

import { Button } from "@chakra-ui/react";
import { useEffect } from "react";
import { useNavigate, useRouteError } from "react-router-dom";
import { useTranslation } from "../i18n/use-translation.ts";
import { ErrorNote } from "../ui/feedback/error-note.tsx";
import { PageMissing } from "./page.ts";
import { reloadIfStale } from "./reload-stale.ts";
import "./error-page.css";

/**
 * Stands in place of a page that broke or could not be fetched: what can be done is to load it anew, or to go home.
 * A page that is missing because a newer client is served is loaded anew by itself, once.
 */
export function ErrorPage() {
  const { t } = useTranslation(["common", "shell"]);
  const navigate = useNavigate();
  const missing = useRouteError() instanceof PageMissing;
  useEffect(() => {
    if (missing) void reloadIfStale();
  }, [missing]);
  return (
    <div className="error-page">
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
    </div>
  );
}

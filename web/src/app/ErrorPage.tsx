import { Button } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { ErrorNote } from "../ui/feedback/error-note.tsx";
import "./error-page.css";

/** Stands in place of a page that broke: what can be done is to load it anew, or to go home. */
export function ErrorPage() {
  const { t } = useTranslation(["common", "shell"]);
  const navigate = useNavigate();
  return (
    <div className="error-page">
      <ErrorNote
        action={
          <Button size="sm" onClick={() => window.location.reload()}>
            {t("action.reload")}
          </Button>
        }
      >
        {t("error.unknown")}
      </ErrorNote>
      <Button size="sm" variant="outline" onClick={() => void navigate("/dashboard")}>
        {t("shell:notFound.home")}
      </Button>
    </div>
  );
}

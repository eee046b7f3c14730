import { useTranslation } from "react-i18next";
import { ApiError, errorCode } from "../../api/errors.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { useLabels } from "../../i18n/labels.ts";

/** Show why a call before the login was refused, and how long to wait if the server said so. */
export function RefusalNote({ error }: { error: Error }) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  return (
    <ErrorNote>
      {labels.error(errorCode(error))}
      {seconds ? ` ${t("form.wait", { count: seconds })}` : ""}
    </ErrorNote>
  );
}

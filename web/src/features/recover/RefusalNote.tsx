import { useTranslation } from "react-i18next";
import { ApiError, errorCode } from "../../api/errors.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { useLabels } from "../../i18n/labels.ts";

/** Reason of a refusal; `seconds` if the server said how long to wait. */
export interface Refusal {
  readonly code: string;
  readonly seconds: number | null;
}

export function refusalOf(error: unknown): Refusal {
  return { code: errorCode(error), seconds: error instanceof ApiError ? error.retryAfterSeconds : null };
}

/** Show the translated refusal. */
export function RefusalNote({ refusal: { code, seconds } }: { refusal: Refusal }) {
  const { t } = useTranslation("recover");
  const { error } = useLabels();
  const wait = seconds === null || seconds === 0 ? "" : ` ${t("waitSeconds", { count: seconds })}`;
  return (
    <ErrorNote>
      {error(code)}
      {wait}
    </ErrorNote>
  );
}

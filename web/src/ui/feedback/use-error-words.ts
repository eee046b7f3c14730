import { useCallback } from "react";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ApiError, errorCode } from "../../rest/errors.ts";

/** What went wrong, in words: ours for the error's code, or the sentence of a farm API that has no codes. */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useTranslation("common");
  const labels = useLabels();
  return useCallback(
    (error) => {
      const said = error instanceof ApiError ? error.said : null;
      return said === null ? labels.error(errorCode(error)) : t("form.refused", { sentence: said });
    },
    [t, labels],
  );
}

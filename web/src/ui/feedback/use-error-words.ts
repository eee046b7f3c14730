import { useCallback } from "react";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { type CallFailure, callFailure } from "../../rest/errors.ts";

/** What a code means on one page; null leaves it to the general words. */
export type CodeWords = (code: string) => string | null;

/**
 * A failure that a screen has kept, in words: the sentence of a farm API that has no codes, or ours for the code. What
 * a page makes of a code is said of servers that know codes: of another one the status alone is known.
 */
export function useFailureWords(): (failure: CallFailure, why?: CodeWords) => string {
  const { t } = useTranslation("common");
  const labels = useLabels();
  return useCallback(
    ({ code, said }, why) =>
      said === null ? (why?.(code) ?? labels.error(code)) : t("form.refused", { sentence: said }),
    [t, labels],
  );
}

/** The same of whatever was thrown. */
export function useErrorWords(): (error: unknown, why?: CodeWords) => string {
  const words = useFailureWords();
  return useCallback((error, why) => words(callFailure(error), why), [words]);
}

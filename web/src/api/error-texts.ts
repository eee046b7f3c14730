import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useLabels } from "../i18n/labels.ts";
import { type CallFailure, callFailure } from "./errors.ts";

/** Page-specific meaning of an error code; null selects the general text. */
export type CodeTexts = (code: string) => string | null;

/**
 * Return a function that describes a stored failure. It quotes a farm API without error codes, and uses our
 * text for a code. Page-specific texts apply only to servers with codes: for others only the status is known.
 */
export function useFailureTexts(): (failure: CallFailure, why?: CodeTexts) => string {
  const { t } = useTranslation("common");
  const labels = useLabels();
  return useCallback(
    ({ code, said }, why) =>
      said === null ? (why?.(code) ?? labels.error(code)) : t("form.refused", { sentence: said }),
    [t, labels],
  );
}

/**
 * Return a function that describes a failed write that is safe to repeat: the sentence of what failed and its reason,
 * or that its outcome is not known (CMD-19).
 */
export function useWriteFailureTexts(): (failed: string, failure: CallFailure, why?: CodeTexts) => string {
  const { t } = useTranslation("common");
  const texts = useFailureTexts();
  return useCallback(
    (failed, failure, why) => `${failure.unknown ? t("form.unsureDone") : failed} ${texts(failure, why)}`,
    [t, texts],
  );
}

/** Return {@link useFailureTexts} for any thrown value. */
export function useErrorTexts(): (error: unknown, why?: CodeTexts) => string {
  const texts = useFailureTexts();
  return useCallback((error, why) => texts(callFailure(error), why), [texts]);
}

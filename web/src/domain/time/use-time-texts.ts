import { useTranslation } from "react-i18next";
import { useAccount } from "../../api/hooks.ts";
import { createTimeTexts, type TimeTexts } from "./time-texts.ts";

/** Time zone of an account without one. */
export const DEFAULT_ZONE = "Asia/Seoul";

/** Return formatters for the account's time zone and the language of the page. */
export function useTimeTexts(): TimeTexts {
  const { i18n } = useTranslation("common");
  return createTimeTexts(i18n.language, useAccount().timezone || DEFAULT_ZONE);
}

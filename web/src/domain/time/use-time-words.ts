import { useTranslation } from "react-i18next";
import { useAccount } from "../../api/hooks.ts";
import { createTimeWords, type TimeWords } from "./time-words.ts";

/** Time zone of an account without one. */
export const DEFAULT_ZONE = "Asia/Seoul";

/** Return formatters for the account's time zone and the language of the page. */
export function useTimeWords(): TimeWords {
  const { i18n } = useTranslation("common");
  return createTimeWords(i18n.language, useAccount().timezone || DEFAULT_ZONE);
}

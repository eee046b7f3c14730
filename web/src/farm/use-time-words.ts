import { useTranslation } from "../i18n/use-translation.ts";
import { useAccount } from "../rest/hooks.ts";
import { createTimeWords, type TimeWords } from "./time-words.ts";

/** The zone of an account that has set none. */
export const DEFAULT_ZONE = "Asia/Seoul";

/** Instants in the account's time zone and the language of the page. */
export function useTimeWords(): TimeWords {
  const { i18n } = useTranslation("common");
  return createTimeWords(i18n.language, useAccount().timezone || DEFAULT_ZONE);
}

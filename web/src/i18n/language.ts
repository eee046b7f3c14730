/** Interface languages, in order of fallback. */
export const LANGUAGES = ["ko", "zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Local storage key of the chosen language. */
export const LANGUAGE_KEY = "languageTitle";

/** Return the interface language of a language tag such as `zh-Hans-CN`; null if not supported. */
export function languageOf(tag: string | null | undefined): Language | null {
  const primary = tag?.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** Return the stored choice, else the first supported browser language, else Korean. */
export function detectLanguage(stored: string | null, browser: readonly string[]): Language {
  const chosen = languageOf(stored);
  if (chosen) return chosen;
  for (const tag of browser) {
    const language = languageOf(tag);
    if (language) return language;
  }
  return "ko";
}

/** Return the account's language without a stored choice or browser preference; null if it is not used. */
export function accountLanguage(
  account: string | null | undefined,
  stored: string | null,
  browser: readonly string[],
): Language | null {
  const hasPreference = [stored, ...browser].some((tag) => languageOf(tag) !== null);
  return hasPreference ? null : languageOf(account);
}

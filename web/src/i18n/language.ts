/** Languages of the interface, in the order of falling back. */
export const LANGUAGES = ["ko", "zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Local storage key of the chosen language. */
export const LANGUAGE_KEY = "languageTitle";

/** The interface language of a language tag such as `zh-Hans-CN`; null for one that we do not speak. */
export function languageOf(tag: string | null | undefined): Language | null {
  const primary = tag?.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** Stored choice, else the first of the browser's languages that we speak, else Korean. */
export function detectLanguage(stored: string | null, browser: readonly string[]): Language {
  const chosen = languageOf(stored);
  if (chosen) return chosen;
  for (const tag of browser) {
    const language = languageOf(tag);
    if (language) return language;
  }
  return "ko";
}

/** The account's language, where neither a stored choice nor the browser says one; null where it does not count. */
export function accountLanguage(
  account: string | null | undefined,
  stored: string | null,
  browser: readonly string[],
): Language | null {
  const says = [stored, ...browser].some((tag) => languageOf(tag) !== null);
  return says ? null : languageOf(account);
}

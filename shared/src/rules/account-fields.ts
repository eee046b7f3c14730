/** Languages of an account, as stored. */
export const LANGUAGES = ["KO", "EN", "ZH"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Return the language in any case; null for any other text. */
export function languageOf(text: string): Language | null {
  const upper = text.trim().toUpperCase();
  return LANGUAGES.find((language) => language === upper) ?? null;
}

/**
 * Return a language as farm APIs write it: `KO` for a new account's default, `en` and the others in small
 * letters.
 */
export const writtenLanguage = (language: Language): string =>
  language === "KO" ? language : language.toLowerCase();

/** Return true for the name of a time zone, such as `Asia/Seoul`, that this runtime knows. */
export function isTimeZone(text: string): boolean {
  // Offsets such as +09:00 are no zones: databases read their sign the other way round.
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

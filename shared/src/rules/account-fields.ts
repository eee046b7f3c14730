/** Languages of an account, as they are stored. */
export const LANGUAGES = ["KO", "EN", "ZH"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language whatever the case it is written in; null for any other. */
export function languageOf(text: string): Language | null {
  const upper = text.trim().toUpperCase();
  return LANGUAGES.find((language) => language === upper) ?? null;
}

/** True for the name of a time zone, such as `Asia/Seoul`, that this runtime knows. */
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

import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { loadFontsFor } from "../theme/fonts.ts";
import { accountLanguage, detectLanguage, LANGUAGE_KEY, LANGUAGES, type Language } from "./language.ts";
import { firstWordsOf, loadLanguage } from "./words.ts";

async function prepare(language: Language): Promise<void> {
  await Promise.all([loadLanguage(language), loadFontsFor(language)]);
  // A page opened meanwhile has loaded its translations in the old language only.
  await loadLanguage(language);
}

/** Set the page's language before the texts change: components that re-render can read it. */
async function speak(language: Language): Promise<void> {
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

/** Switch to another language and store the choice; does neither if its translations fail to load. */
export async function chooseLanguage(language: Language): Promise<void> {
  await prepare(language);
  localStorage.setItem(LANGUAGE_KEY, language);
  await speak(language);
}

/**
 * Use the signed-in account's language if this browser has no preference: no stored choice, and no supported
 * browser language.
 */
export async function followAccount(tag: string | null | undefined): Promise<void> {
  const language = accountLanguage(tag, localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  if (language === null || language === i18next.language) return;
  await prepare(language);
  await speak(language);
}

/**
 * Detect the language and load the translations of the first page; awaited before the first paint, so that no
 * key is ever visible. Only the detected language is loaded: the build fails on a key missing in one of the
 * three. Other pages load their translations by `loadWords`.
 */
export async function startI18n(): Promise<i18n> {
  const language = detectLanguage(localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: [...LANGUAGES],
    defaultNS: "common",
    resources: { [language]: await firstWordsOf(language) },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
  void loadFontsFor(language);
  return i18next;
}

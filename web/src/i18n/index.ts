import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { loadFontsFor } from "../ui/theme/fonts.ts";
import { accountLanguage, detectLanguage, LANGUAGE_KEY, LANGUAGES, type Language } from "./language.ts";
import { firstWordsOf, loadLanguage } from "./words.ts";

async function prepare(language: Language): Promise<void> {
  await Promise.all([loadLanguage(language), loadFontsFor(language)]);
  // A page that was opened meanwhile has got its words in the old language alone.
  await loadLanguage(language);
}

/** The page is marked before its words change: what draws them anew finds the language that they are in. */
async function speak(language: Language): Promise<void> {
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

/** Speaks another language from now on, and remembers it; neither where its words do not come. */
export async function chooseLanguage(language: Language): Promise<void> {
  await prepare(language);
  localStorage.setItem(LANGUAGE_KEY, language);
  await speak(language);
}

/**
 * Speaks the language of the account that is signed in, where this browser says nothing of its own: nobody has chosen
 * one here, and the browser asks for none that we speak.
 */
export async function followAccount(tag: string | null | undefined): Promise<void> {
  const language = accountLanguage(tag, localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  if (language === null || language === i18next.language) return;
  await prepare(language);
  await speak(language);
}

/**
 * Detects the language and loads the words of the first page; awaited before the first paint, so that no key is ever
 * seen. Only the detected language is loaded: the build fails on a key that is missing in one of the three. Other
 * pages bring their words by `loadWords`.
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

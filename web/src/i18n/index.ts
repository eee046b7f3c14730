import i18next, { type i18n, type ResourceLanguage } from "i18next";
import { initReactI18next } from "react-i18next";
import { loadFontsFor } from "../ui/theme/fonts.ts";
import { detectLanguage, LANGUAGE_KEY, LANGUAGES, type Language } from "./language.ts";

/** Each language is one chunk, fetched when it is spoken. */
const chunks: Readonly<Record<Language, () => Promise<{ namespaces: ResourceLanguage }>>> = {
  ko: () => import("./namespaces-ko.ts"),
  en: () => import("./namespaces-en.ts"),
  zh: () => import("./namespaces-zh.ts"),
};

async function loadLanguage(language: Language): Promise<ResourceLanguage> {
  return (await chunks[language]()).namespaces;
}

async function addLanguage(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, "common")) return;
  const namespaces = await loadLanguage(language);
  for (const [name, keys] of Object.entries(namespaces)) i18next.addResourceBundle(language, name, keys);
}

/** Speaks another language from now on, and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await Promise.all([addLanguage(language), loadFontsFor(language)]);
  localStorage.setItem(LANGUAGE_KEY, language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/**
 * Detects the language and loads it; awaited before the first paint, so that no key is ever seen. Only the
 * detected language is loaded: the build fails on a key that is missing in one of the three.
 */
export async function startI18n(): Promise<i18n> {
  const language = detectLanguage(localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: [...LANGUAGES],
    defaultNS: "common",
    resources: { [language]: await loadLanguage(language) },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
  void loadFontsFor(language);
  return i18next;
}

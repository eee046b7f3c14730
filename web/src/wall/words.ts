import i18next, { type ResourceLanguage } from "i18next";
import { initReactI18next } from "react-i18next";
import { LANGUAGES, type Language } from "../i18n/language.ts";
import { loadFontsFor } from "../theme/fonts.ts";

const files: Readonly<Record<Language, () => Promise<{ words: ResourceLanguage }>>> = {
  ko: () => import("./words-ko.ts"),
  en: () => import("./words-en.ts"),
  zh: () => import("./words-zh.ts"),
};

/** Load the translations of a language; awaited before the first paint. */
export async function startWords(language: Language): Promise<void> {
  const { words } = await files[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: [...LANGUAGES],
    defaultNS: "common",
    resources: { [language]: words },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
  void loadFontsFor(language);
}

/** Switch to the language chosen for this screen. */
export async function speak(language: Language): Promise<void> {
  if (i18next.language === language) return;
  const [{ words }] = await Promise.all([files[language](), loadFontsFor(language)]);
  for (const [name, keys] of Object.entries(words)) i18next.addResourceBundle(language, name, keys);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

import i18next, { type i18n, type ResourceLanguage } from "i18next";
import { initReactI18next } from "react-i18next";
import { loadFontsFor } from "../ui/theme/fonts.ts";
import { detectLanguage, LANGUAGE_KEY, LANGUAGES, type Language } from "./language.ts";

const files = import.meta.glob<{ default: ResourceLanguage[string] }>("./locales/*/*.json");

/** All namespaces of one language; the build puts them into one chunk, so this is one request. */
async function loadLanguage(language: Language): Promise<ResourceLanguage> {
  const prefix = `./locales/${language}/`;
  const entries = Object.entries(files).filter(([path]) => path.startsWith(prefix));
  const loaded = await Promise.all(
    entries.map(async ([path, load]) => [path.slice(prefix.length, -".json".length), (await load()).default]),
  );
  return Object.fromEntries(loaded);
}

/** The language that the interface speaks now. */
export function currentLanguage(): Language {
  return detectLanguage(i18next.language, []);
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

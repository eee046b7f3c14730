import i18next, { type ResourceLanguage } from "i18next";
import { initReactI18next } from "react-i18next";
import { loadFontsFor } from "../theme/fonts.ts";
import { accountLanguage, detectLanguage, LANGUAGE_KEY, LANGUAGES, type Language } from "./language.ts";

/**
 * A file of translations, one per language: the farmer's application with all shared texts, the
 * administration, the wall. Each top-level key of a file is a namespace of i18next.
 */
export type TranslationFile = "app" | "admin" | "wall";

const urls = import.meta.glob<string>("./locales/*/*.json", {
  query: "?url",
  import: "default",
  eager: true,
});

/** Files that this page uses: a language chosen later needs them too. */
const used = new Set<TranslationFile>();

/** Loads by language and file; a failed one is removed, so that the next call tries again. */
const loads = new Map<string, Promise<ResourceLanguage>>();

const isTranslations = (value: unknown): value is ResourceLanguage =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function fetchFile(path: string): Promise<ResourceLanguage> {
  const response = await fetch(urls[path] ?? path);
  const body: unknown = response.ok ? await response.json() : null;
  if (!isTranslations(body)) throw new Error(`no translations at ${path}: ${response.status}`);
  return body;
}

function load(language: Language, file: TranslationFile): Promise<ResourceLanguage> {
  const path = `./locales/${language}/${file}.json`;
  const known = loads.get(path);
  if (known) return known;
  const loading = fetchFile(path);
  loads.set(path, loading);
  loading.catch(() => loads.delete(path));
  return loading;
}

async function add(language: Language, file: TranslationFile): Promise<void> {
  for (const [namespace, texts] of Object.entries(await load(language, file))) {
    if (!i18next.hasResourceBundle(language, namespace))
      i18next.addResourceBundle(language, namespace, texts);
  }
}

const current = (): Language => LANGUAGES.find((language) => language === i18next.language) ?? "ko";

/**
 * Load another file of translations in the current language. Resolves once it is loaded, so that no key is
 * ever visible; rejects if it fails to load.
 */
export async function loadTranslations(file: TranslationFile): Promise<void> {
  used.add(file);
  let language: Language;
  do {
    language = current();
    await add(language, file);
    // Another language may have been chosen meanwhile.
  } while (language !== current());
}

/** Show the page in another language; changes nothing and rejects if its translations fail to load. */
export async function changeLanguage(language: Language): Promise<void> {
  if (language === i18next.language) return;
  await Promise.all([...[...used].map((file) => add(language, file)), loadFontsFor(language)]);
  // A page opened meanwhile has loaded its translations in the old language only.
  await Promise.all([...used].map((file) => add(language, file)));
  // Set before the texts change: components that re-render can read it.
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

/** Change the language and store the choice; does neither if its translations fail to load. */
export async function chooseLanguage(language: Language): Promise<void> {
  await changeLanguage(language);
  localStorage.setItem(LANGUAGE_KEY, language);
}

/**
 * Use the signed-in account's language if this browser has no preference: no stored choice, and no supported
 * browser language.
 */
export async function followAccount(tag: string | null | undefined): Promise<void> {
  const language = accountLanguage(tag, localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  if (language !== null) await changeLanguage(language);
}

/**
 * Detect the language and load these files; awaited before the first paint, so that no key is ever visible.
 * Only the detected language is loaded: `check` fails on a key missing in one of the three.
 */
export async function startTranslations(files: readonly TranslationFile[]): Promise<void> {
  const language = detectLanguage(localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  for (const file of files) used.add(file);
  const loaded = await Promise.all(files.map((file) => load(language, file)));
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: [...LANGUAGES],
    defaultNS: "common",
    resources: { [language]: Object.assign({}, ...loaded) },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
  void loadFontsFor(language);
}

import i18next, { type FlatNamespace, type ResourceLanguage } from "i18next";
import { LANGUAGES, type Language } from "./language.ts";

/** A namespace: the translations of one page or module, one file per language. */
export type Words = FlatNamespace;

/**
 * Translations of the page frame and the first page: one file per language, loaded before the first render.
 */
const first: Readonly<Record<Language, () => Promise<{ firstWords: ResourceLanguage }>>> = {
  ko: () => import("./first-words-ko.ts"),
  en: () => import("./first-words-en.ts"),
  zh: () => import("./first-words-zh.ts"),
};

/** Translations of one language, by path of their file. */
type WordFiles = Readonly<Record<string, ResourceLanguage[string]>>;

/**
 * Translations of all other pages: two files per language. A file per page would cost a round trip each, and
 * all file names would be part of the first load.
 */
const rooms: Readonly<Record<Language, Readonly<Record<"farm" | "desk", () => Promise<WordFiles>>>>> = {
  ko: {
    farm: async () => (await import("./farm-words-ko.ts")).farmWords,
    desk: async () => (await import("./desk-words-ko.ts")).deskWords,
  },
  en: {
    farm: async () => (await import("./farm-words-en.ts")).farmWords,
    desk: async () => (await import("./desk-words-en.ts")).deskWords,
  },
  zh: {
    farm: async () => (await import("./farm-words-zh.ts")).farmWords,
    desk: async () => (await import("./desk-words-zh.ts")).deskWords,
  },
};

/** Namespaces of the administrators and of the wall; the same as in `desk-words-ko.ts`. */
const DESK = /^(admin|displays|fleet|morning|wall)/;

/** Namespaces that pages have requested: a language chosen later needs them too. */
const asked = new Set<Words>();

/** Return the first translations of a language, by namespace. */
export async function firstWordsOf(language: Language): Promise<ResourceLanguage> {
  return (await first[language]()).firstWords;
}

async function add(language: Language, name: Words): Promise<void> {
  if (i18next.hasResourceBundle(language, name)) return;
  const words = await rooms[language][DESK.test(name) ? "desk" : "farm"]();
  const keys = words[`./locales/${language}/${name}.json`];
  // A namespace in neither is part of the first translations, which are loaded before any page.
  if (keys) i18next.addResourceBundle(language, name, keys);
}

const spoken = (): Language => LANGUAGES.find((language) => language === i18next.language) ?? "ko";

/**
 * Load a page's translations in the current language, and in each language chosen during the page's life.
 * Resolves once they are loaded, so that no key is ever visible; rejects if they fail to load.
 */
export async function loadWords(names: readonly Words[]): Promise<void> {
  for (const name of names) asked.add(name);
  let language: Language;
  do {
    language = spoken();
    await Promise.all(names.map((name) => add(language, name)));
    // Another language may have been chosen meanwhile.
  } while (language !== spoken());
}

/** Load the translations of all pages shown so far in another language. */
export async function loadLanguage(language: Language): Promise<void> {
  const rest = Promise.all([...asked].map((name) => add(language, name)));
  if (!i18next.hasResourceBundle(language, "common")) {
    for (const [name, keys] of Object.entries(await firstWordsOf(language)))
      i18next.addResourceBundle(language, name, keys);
  }
  await rest;
}

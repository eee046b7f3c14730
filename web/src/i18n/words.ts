import i18next, { type FlatNamespace, type ResourceLanguage } from "i18next";
import { LANGUAGES, type Language } from "./language.ts";

/** A namespace: the words of one page or room, a file of each language. */
export type Words = FlatNamespace;

/** What stands around every page, and the first page itself: one file a language, loaded before anything is drawn. */
const first: Readonly<Record<Language, () => Promise<{ firstWords: ResourceLanguage }>>> = {
  ko: () => import("./first-words-ko.ts"),
  en: () => import("./first-words-en.ts"),
  zh: () => import("./first-words-zh.ts"),
};

/** The words of one language, by path of their file. */
type WordFiles = Readonly<Record<string, ResourceLanguage[string]>>;

/**
 * The words of all other pages: two files a language. A file for each page would cost a round trip each, and all their
 * names would be part of the first load.
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

/** Namespaces that some page has asked for: a language chosen later needs them as well. */
const asked = new Set<Words>();

/** The first words of a language, by namespace. */
export async function firstWordsOf(language: Language): Promise<ResourceLanguage> {
  return (await first[language]()).firstWords;
}

async function add(language: Language, name: Words): Promise<void> {
  if (i18next.hasResourceBundle(language, name)) return;
  const words = await rooms[language][DESK.test(name) ? "desk" : "farm"]();
  const keys = words[`./locales/${language}/${name}.json`];
  // A name that is in neither is one of the first words, which are there before any page is.
  if (keys) i18next.addResourceBundle(language, name, keys);
}

const spoken = (): Language => LANGUAGES.find((language) => language === i18next.language) ?? "ko";

/**
 * Brings the words of a page in the language that is spoken, and in each that will be chosen while the page lives.
 * Resolves once they are there, so that no key is ever seen; rejects where they cannot be fetched.
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

/** Brings everything that this page has shown so far in another language. */
export async function loadLanguage(language: Language): Promise<void> {
  const rest = Promise.all([...asked].map((name) => add(language, name)));
  if (!i18next.hasResourceBundle(language, "common")) {
    for (const [name, keys] of Object.entries(await firstWordsOf(language)))
      i18next.addResourceBundle(language, name, keys);
  }
  await rest;
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const LOCALES = "web/src/i18n/locales";
export const LANGUAGES = ["ko", "en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Texts of one namespace in one language by dotted key; a value that is no text is returned as it is. */
export type LocaleTexts = ReadonlyMap<string, unknown>;

const PLURAL_ENDING = /_(zero|one|two|few|many|other)$/;

const flatten = (value: unknown, path: string): [string, unknown][] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => flatten(inner, path === "" ? key : `${path}.${key}`))
    : [[path, value]];

/** Return the key without its plural form: `left_one` → `left`. Languages have different plural forms. */
export const withoutPlural = (key: string): string => key.replace(PLURAL_ENDING, "");

/** Return the names of all namespaces of any language. */
export const namespaces = async (root: string): Promise<string[]> => {
  const folders = await Promise.all(LANGUAGES.map((language) => readdir(join(root, LOCALES, language))));
  const files = folders.flat().filter((file) => file.endsWith(".json"));
  return [...new Set(files.map((file) => file.slice(0, -".json".length)))].toSorted();
};

export const localeFile = (language: Language, namespace: string): string =>
  `${LOCALES}/${language}/${namespace}.json`;

/** @returns null if this language lacks the namespace; throws on broken JSON */
export const readLocale = async (
  root: string,
  language: Language,
  namespace: string,
): Promise<LocaleTexts | null> => {
  let text: string;
  try {
    text = await readFile(join(root, localeFile(language, namespace)), "utf8");
  } catch {
    return null;
  }
  return new Map(flatten(JSON.parse(text), ""));
};

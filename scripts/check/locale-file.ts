import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const LOCALES = "web/src/i18n/locales";
export const LANGUAGES = ["ko", "en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Texts of one file by namespace and dotted key, `login:setup.nickname`; a value that is no text as it is. */
export type LocaleTexts = ReadonlyMap<string, unknown>;

const PLURAL_ENDING = /_(zero|one|two|few|many|other)$/;

const isGroup = (value: unknown): value is object => typeof value === "object" && value !== null;

const flatten = (value: unknown, path: string): [string, unknown][] =>
  isGroup(value)
    ? Object.entries(value).flatMap(([key, inner]) =>
        flatten(inner, path.endsWith(":") ? path + key : `${path}.${key}`),
      )
    : [[path, value]];

/** Return the key without its plural form: `left_one` → `left`. Languages have different plural forms. */
export const withoutPlural = (key: string): string => key.replace(PLURAL_ENDING, "");

/** Return the names of all files of any language: app, admin, wall. */
export const localeFiles = async (root: string): Promise<string[]> => {
  const folders = await Promise.all(LANGUAGES.map((language) => readdir(join(root, LOCALES, language))));
  const files = folders.flat().filter((file) => file.endsWith(".json"));
  return [...new Set(files.map((file) => file.slice(0, -".json".length)))].toSorted();
};

export const localePath = (language: Language, file: string): string => `${LOCALES}/${language}/${file}.json`;

/** @returns no texts if this language lacks the file; throws on broken JSON */
export const readLocale = async (root: string, language: Language, file: string): Promise<LocaleTexts> => {
  let text: string;
  try {
    text = await readFile(join(root, localePath(language, file)), "utf8");
  } catch {
    return new Map();
  }
  const namespaces: unknown = JSON.parse(text);
  if (!isGroup(namespaces)) return new Map();
  return new Map(Object.entries(namespaces).flatMap(([name, keys]) => flatten(keys, `${name}:`)));
};

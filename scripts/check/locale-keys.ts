import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Check, Finding } from "./finding.ts";
import {
  LANGUAGES,
  type Language,
  LOCALES,
  type LocaleTexts,
  localeFiles,
  localePath,
  readLocale,
  withoutPlural,
} from "./locale-file.ts";
import { type FileTexts, readFileTexts, uses } from "./locale-uses.ts";

/** Texts of a file in each language. */
interface Locale {
  readonly name: string;
  readonly texts: ReadonlyMap<Language, LocaleTexts>;
}

const readAll = async (root: string, name: string): Promise<Locale> => {
  const texts = await Promise.all(
    LANGUAGES.map(async (language) => [language, await readLocale(root, language, name)] as const),
  );
  return { name, texts: new Map(texts) };
};

/** Return the keys that a language must have: a plural needs every form of the language. */
const expectedKeys = (language: Language, all: ReadonlySet<string>): Set<string> => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return new Set(
    [...all].flatMap((key) => {
      const base = withoutPlural(key);
      return base === key ? [key] : forms.map((form) => `${base}_${form}`);
    }),
  );
};

const placeholders = (text: unknown): string =>
  [...String(text).matchAll(/\{\{\s*([\w.]+)/g)]
    .map((match) => match[1])
    .toSorted()
    .join(" ");

const findInLanguage = (locale: Locale, language: Language): Finding[] => {
  const file = localePath(language, locale.name);
  const texts = locale.texts.get(language) ?? new Map();
  const reference = locale.texts.get("ko") ?? new Map();
  const all = new Set([...locale.texts.values()].flatMap((each) => [...each.keys()]));
  const findings: Finding[] = [];
  for (const key of expectedKeys(language, all)) {
    if (!texts.has(key)) findings.push({ file, message: `lacks the key ${key}` });
  }
  for (const [key, text] of texts) {
    if (typeof text !== "string" || text.trim() === "")
      findings.push({ file, message: `${key} has no text` });
    const korean = reference.get(key);
    if (korean !== undefined && placeholders(korean) !== placeholders(text)) {
      findings.push({ file, message: `${key} has other placeholders than the Korean text` });
    }
  }
  return findings;
};

const findUnused = (locale: Locale, files: readonly FileTexts[]): Finding[] =>
  [...(locale.texts.get("ko")?.keys() ?? [])]
    .map(withoutPlural)
    .filter((key) => !files.some((file) => uses(file, key)))
    .map((key) => ({ file: localePath("ko", locale.name), message: `nothing asks for the key ${key}` }));

/** Source files that may use the texts of a file that not every page loads. */
const USERS: Readonly<Record<string, RegExp>> = {
  admin:
    /^web\/src\/(domain\/admin-list|domain\/fleet|features\/admin-[\w-]+|app\/admin-layout)\/|^web\/src\/app\/admin-routes\.tsx$/,
  wall: /^web\/src\/wall\//,
};

/** Find files that use texts which their page does not load: users would see keys. */
const findNotLoaded = (locale: Locale, files: readonly FileTexts[]): Finding[] => {
  const users = USERS[locale.name];
  if (!users) return [];
  const names = new Set([...(locale.texts.get("ko")?.keys() ?? [])].map((key) => key.split(":")[0] ?? ""));
  return files
    .filter(({ file }) => file.startsWith("web/") && !users.test(file))
    .flatMap(({ file, namespaces }) =>
      [...names]
        .filter((name) => namespaces.has(name))
        .map((name) => ({ file, message: `uses "${name}", which only pages with ${locale.name}.json load` })),
    );
};

/** Find keys without a text in Korean, English or Chinese, without a use, or used where they are not loaded. */
export const localeKeys: Check = {
  name: "locale keys",
  async run(root) {
    if (!existsSync(join(root, LOCALES))) return [{ file: LOCALES, message: "is missing" }];
    const all = await Promise.all((await localeFiles(root)).map((name) => readAll(root, name)));
    const files = await readFileTexts(root);
    return all.flatMap((locale) => [
      ...LANGUAGES.flatMap((language) => findInLanguage(locale, language)),
      ...findUnused(locale, files),
      ...findNotLoaded(locale, files),
    ]);
  },
};

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Check, Finding } from "./finding.ts";
import {
  LANGUAGES,
  type Language,
  LOCALES,
  type LocaleTexts,
  localeFile,
  namespaces,
  readLocale,
  withoutPlural,
} from "./locale-file.ts";
import { localeUses } from "./locale-uses.ts";

interface Namespace {
  readonly name: string;
  readonly texts: ReadonlyMap<Language, LocaleTexts>;
}

const readNamespace = async (root: string, name: string): Promise<Namespace> => {
  const texts = await Promise.all(
    LANGUAGES.map(
      async (language) => [language, (await readLocale(root, language, name)) ?? new Map()] as const,
    ),
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

const findInLanguage = (namespace: Namespace, language: Language): Finding[] => {
  const file = localeFile(language, namespace.name);
  const texts = namespace.texts.get(language) ?? new Map();
  const reference = namespace.texts.get("ko") ?? new Map();
  const all = new Set([...namespace.texts.values()].flatMap((each) => [...each.keys()]));
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

const findUnused = (namespace: Namespace, isUsed: (name: string, key: string) => boolean): Finding[] =>
  [...(namespace.texts.get("ko")?.keys() ?? [])]
    .map(withoutPlural)
    .filter((key) => !isUsed(namespace.name, key))
    .map((key) => ({ file: localeFile("ko", namespace.name), message: `nothing asks for the key ${key}` }));

/** Find keys without a text in Korean, English or Chinese, and keys without a use. */
export const localeKeys: Check = {
  name: "locale keys",
  async run(root) {
    if (!existsSync(join(root, LOCALES))) return [{ file: LOCALES, message: "is missing" }];
    const all = await Promise.all((await namespaces(root)).map((name) => readNamespace(root, name)));
    const isUsed = await localeUses(root);
    return all.flatMap((namespace) => [
      ...LANGUAGES.flatMap((language) => findInLanguage(namespace, language)),
      ...findUnused(namespace, isUsed),
    ]);
  },
};

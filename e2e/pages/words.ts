import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Visitor } from "@mulkko/testing/stack/visitor";

const LOCALES = resolve(import.meta.dirname, "../../web/src/i18n/locales");
const FOLDERS: Readonly<Record<Visitor["locale"], string>> = { "ko-KR": "ko", "en-US": "en", "zh-CN": "zh" };

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Return a text of the screen: `say("common:action.save")`, with the values of its placeholders. */
export type Say = (key: string, gaps?: Readonly<Record<string, string | number>>) => string;

/**
 * Return the client's texts in a visitor's language, read from its locale files, so that one journey runs in
 * three languages. A missing key, or a key without a text, is a fault of the journey.
 */
export const wordsOf = (locale: Visitor["locale"]): Say => {
  const namespaces = new Map<string, unknown>();
  for (const file of ["app", "admin", "wall"]) {
    const texts: unknown = JSON.parse(
      readFileSync(resolve(LOCALES, FOLDERS[locale], `${file}.json`), "utf8"),
    );
    for (const [namespace, keys] of Object.entries(isGroup(texts) ? texts : {}))
      namespaces.set(namespace, keys);
  }
  return (key, gaps = {}) => {
    const [namespace = "", path = ""] = key.split(":");
    const read = (full: string): unknown =>
      full
        .split(".")
        .reduce<unknown>(
          (group, step) => (isGroup(group) ? group[step] : undefined),
          namespaces.get(namespace),
        );
    const { count } = gaps;
    const plural =
      typeof count === "number" ? read(`${path}_${new Intl.PluralRules(locale).select(count)}`) : undefined;
    const found = plural ?? read(path);
    if (typeof found !== "string") throw new Error(`there is no text ${key} in ${FOLDERS[locale]}`);
    return found.replace(/\{\{(\w+)\}\}/g, (_, gap: string) => {
      const value = gaps[gap];
      if (value === undefined) throw new Error(`${key} wants ${gap}`);
      return String(value);
    });
  };
};

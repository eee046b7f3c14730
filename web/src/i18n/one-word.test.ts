import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "./language.ts";

type Tree = Readonly<Record<string, unknown>>;

/** Words that the screens do not use (docs/dev/glossary.md), beside the one that they use. */
const UNUSED: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  ko: {},
  en: {},
  zh: { 浇水: "灌溉" },
};
/** Questions before something is deleted. */
const DELETIONS: Readonly<Record<Language, RegExp>> = {
  ko: /삭제할까요\?$/,
  en: /^Delete .*\?$|want to delete/,
  zh: /删除.*吗？$/,
};
const files = import.meta.glob<Tree>("./locales/*/*.json", { import: "default" });

const wordOf = (tree: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), tree);

/** Collect the texts below a key, with their full keys. */
function collectTexts(tree: Tree, key: string, into: (readonly [string, string])[]): void {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") into.push([`${key}.${name}`, value]);
    else if (isTree(value)) collectTexts(value, `${key}.${name}`, into);
  }
}
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

describe.each(LANGUAGES)("terms in %s", (language) => {
  let say: (key: string) => unknown;
  let texts: readonly (readonly [string, string])[];
  beforeAll(async () => {
    const spaces = new Map<string, Tree>();
    const all: (readonly [string, string])[] = [];
    for (const [path, load] of Object.entries(files)) {
      if (!path.includes(`/${language}/`)) continue;
      for (const [name, tree] of Object.entries(await load())) if (isTree(tree)) spaces.set(name, tree);
    }
    for (const [name, tree] of spaces) collectTexts(tree, name, all);
    texts = all;
    say = (key) => {
      const [space = "", path = ""] = key.split(":");
      return wordOf(spaces.get(space), path);
    };
  });

  it("[i18n] uses one word for one thing", () => {
    const found = Object.entries(UNUSED[language]).flatMap(([word, used]) =>
      texts.filter(([, text]) => text.includes(word)).map(([key]) => `${key}: ${used}, not ${word}`),
    );
    expect(found).toEqual([]);
  });

  it("[i18n] names or counts what it asks to delete", () => {
    const questions = texts.filter(([, text]) => DELETIONS[language].test(text));
    expect(questions.length).toBeGreaterThan(4);
    expect(questions.filter(([, text]) => !text.includes("{{")).map(([key]) => key)).toEqual([]);
  });

  it.each([
    ["a person's name", ["account:nickname", "login:setup.nickname", "admin-users:column.nickname"]],
    ["who logs in", ["account:username", "login:id", "login:setup.username", "admin-users:column.username"]],
    ["the Excel button", ["log:excel.save", "sensor-table:download", "fleet:export"]],
    [
      "the button that adds",
      [
        "sensor-add:submit",
        "admin-sensor-add:submit",
        "admin-users:add.submit",
        "farms:add.submit",
        "controller-edit:register",
      ],
    ],
    ["the way to a device's form", ["sensors:edit", "irrigation:edit", "sensor-table:edit"]],
  ])("[i18n] %s has the same term everywhere", (_, keys) => {
    const answers = keys.map((key) => say(key));
    expect(answers[0]).toBeTypeOf("string");
    expect(new Set(answers).size, answers.join(" / ")).toBe(1);
  });
});

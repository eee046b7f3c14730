import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "./language.ts";

type Tree = Readonly<Record<string, unknown>>;
const files = import.meta.glob<Tree>("./locales/*/*.json", { import: "default" });

const wordOf = (tree: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, key) => (isTree(at) ? at[key] : undefined), tree);
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

describe.each(LANGUAGES)("terms in %s", (language) => {
  let say: (key: string) => unknown;
  beforeAll(async () => {
    const spaces = new Map<string, Tree>();
    for (const [path, load] of Object.entries(files)) {
      if (!path.includes(`/${language}/`)) continue;
      for (const [name, texts] of Object.entries(await load())) if (isTree(texts)) spaces.set(name, texts);
    }
    say = (key) => {
      const [space = "", path = ""] = key.split(":");
      return wordOf(spaces.get(space), path);
    };
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

import { expect, it } from "vitest";
import { languageFindings } from "./language.ts";

const messages = (text: string, file = "relay/src/a.ts"): string[] =>
  languageFindings(file, text).map(({ line, message }) => `${line} ${message}`);

it("[check] finds a docstring that does not say what the thing does", () => {
  expect(messages("/** Whether the relay is up. */\nexport const isUp = true;\n")).toEqual([
    '1 a docstring begins with "Whether": say what the thing does',
  ]);
  expect(messages("/**\n * Return true while the relay is up.\n */\nexport const isUp = true;\n")).toEqual(
    [],
  );
});

it("[check] finds a word without a subject in a comment and in the title of a test", () => {
  const code = 'const a = 1;\n// The relay told nobody.\nit("begins anew", () => undefined);\n';
  expect(messages(code)).toEqual([
    '2 says "told": name the subject',
    '2 says "nobody": name the subject',
    '3 says "anew": name the subject',
  ]);
});

it("[check] finds such a word in a sentence of the code, also in the title of a table of tests", () => {
  const code =
    "const why = `The relay told $" +
    '{name} so.`;\nit.each([["a", "b c"]])("keeps %s from whoever asks", () => undefined);\n';
  expect(messages(code)).toEqual(['1 says "told": name the subject', '2 says "whoever": name the subject']);
});

it("[check] finds such a word in a name, but not in the wire's", () => {
  const code = "const isHeardAnew = heardAt > before.heard_at;\nexport const HEARD_EVERY_MS = 1;\n";
  expect(messages(code)).toEqual([
    '1 names isHeardAnew: "heard" has no subject',
    '2 names HEARD_EVERY_MS: "heard" has no subject',
  ]);
  expect(messages(code, "web/src/a.ts")).toEqual([]);
});

it("[check] leaves values and quoted names alone", () => {
  expect(messages('// The field `heard` stays.\nconst by = "nobody";\n')).toEqual([]);
});

it("[check] reads documents, but not their code", () => {
  expect(messages("Somebody `told`\n```\nnobody\n```\n", "docs/a.md")).toEqual([
    '1 says "somebody": name the subject',
  ]);
});

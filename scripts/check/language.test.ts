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

it("[check] finds such a word in a name, but not in the wire's or a library's", () => {
  const code = "const isHeardAnew = heardAt > before.heard_at;\nexport const HEARD_EVERY_MS = 1;\n";
  expect(messages(code)).toEqual([
    '1 names isHeardAnew: "heard" has no subject',
    '2 names HEARD_EVERY_MS: "heard" has no subject',
  ]);
  expect(messages("const isGone = !field.isTouched && heardAt === null;\n", "web/src/a.ts")).toEqual([]);
});

it("[check] leaves values and quoted names alone", () => {
  expect(messages('// The field `heard` stays.\nconst by = "nobody";\n')).toEqual([]);
});

it("[check] reads documents, but not their code", () => {
  expect(messages("Somebody `told`\n```\nnobody\n```\n", "docs/a.md")).toEqual([
    '1 says "somebody": name the subject',
  ]);
});

it("[check] reads the comments of style sheets, but not their names", () => {
  const css = ".told {\n  color: red;\n}\n/* A row,\n   as it was told. */\n.heard {} /* quiet */\n";
  expect(messages(css, "web/src/a.css")).toEqual(['5 says "told": name the subject']);
});

it("[check] reads the comments of migrations, but not their names", () => {
  const sql = "-- Told by the device.\nalter table heard add told text; -- once heard\n";
  expect(messages(sql, "api/migrations/0001-a.sql")).toEqual([
    '1 says "told": name the subject',
    '2 says "heard": name the subject',
  ]);
});

it("[check] reads the comments of services and their settings, but not the values", () => {
  const yml = "# Nobody else.\nnobody: told # told so\nurl: http://a/#heard\n  # The relay.\n";
  const expected = ['1 says "nobody": name the subject', '2 says "told": name the subject'];
  for (const file of ["docker-compose.yml", "ops/example.env", "ops/haproxy.cfg", "ops/mosquitto/acl"]) {
    expect(messages(yml, file)).toEqual(expected);
  }
});

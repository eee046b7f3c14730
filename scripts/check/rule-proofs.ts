import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith } from "./source-files.ts";

/** Documents with numbered rules; each rule is a list item that begins with its number. */
const RULE_BOOKS = ["shared/PROTOCOL.md", "docs/valves.md"];
const RULE = /^- ([A-Z]+-\d+) /;

/** Files with tests, and the suites that several of them run. */
const TESTS = [".test.ts", ".test.tsx", ".suite.ts", ".e2e.ts", ".fault.ts"];
/** The brackets at the start of a test's title: one rule, or several with commas. */
const HEAD = /["'`]\[([A-Z]+-\d+(?:, ?[A-Z]+-\d+)*)\]/g;

interface Rule {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}

const rulesOf = async (root: string, file: string): Promise<Rule[]> => {
  const lines = (await readFile(join(root, file), "utf8")).split("\n");
  return lines.flatMap((text, index) => {
    const id = RULE.exec(text)?.[1];
    return id === undefined ? [] : [{ id, file, line: index + 1 }];
  });
};

const namesOf = async (root: string, file: string): Promise<Rule[]> => {
  const lines = (await readFile(join(root, file), "utf8")).split("\n");
  return lines.flatMap((text, index) =>
    [...text.matchAll(HEAD)].flatMap((match) =>
      (match[1] ?? "").split(/, ?/).map((id) => ({ id, file, line: index + 1 })),
    ),
  );
};

/** Find numbered rules without a test that names them, and tests that name an unknown rule. */
export const ruleProofs: Check = {
  name: "every rule has its test",
  async run(root) {
    const rules = (await Promise.all(RULE_BOOKS.map((file) => rulesOf(root, file)))).flat();
    const tests = await filesEndingWith(root, TESTS);
    const named = (await Promise.all(tests.map((file) => namesOf(root, file)))).flat();
    const written = new Set(rules.map(({ id }) => id));
    const proved = new Set(named.map(({ id }) => id));
    const unproved = rules
      .filter(({ id }) => !proved.has(id))
      .map(({ id, file, line }): Finding => ({ file, line, message: `no test is named [${id}]` }));
    const unwritten = named
      .filter(({ id }) => !written.has(id))
      .map(({ id, file, line }) => ({ file, line, message: `is named by ${id}, which is no rule` }));
    return [...unproved, ...unwritten];
  },
};

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith } from "./source-files.ts";
import { TEST_FILES } from "./test-titles.ts";

/** Documents with numbered rules; each rule is a list item that begins with its number. */
const RULE_BOOKS = ["docs/dev/protocol.md", "docs/dev/valve-rules.md", "docs/dev/screen-rules.md"];
const RULE = /^- ([A-Z]+-\d+) /;

/** The brackets at the start of a test's title: one rule, or several with commas. */
const HEAD = /["'`]\[([A-Z]+-\d+(?:, ?[A-Z]+-\d+)*)\]/g;

/** A line of a comment; documents are read whole. */
const COMMENT = /^\s*\*|\/\*|\/\//;

interface Rule {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}

const linesOf = async (root: string, file: string): Promise<string[]> =>
  (await readFile(join(root, file), "utf8")).split("\n");

const rulesOf = async (root: string, file: string): Promise<Rule[]> =>
  (await linesOf(root, file)).flatMap((text, index) => {
    const id = RULE.exec(text)?.[1];
    return id === undefined ? [] : [{ id, file, line: index + 1 }];
  });

const namesOf = async (root: string, file: string): Promise<Rule[]> =>
  (await linesOf(root, file)).flatMap((text, index) =>
    [...text.matchAll(HEAD)].flatMap((match) =>
      (match[1] ?? "").split(/, ?/).map((id) => ({ id, file, line: index + 1 })),
    ),
  );

/** Return the rules that documents and comments refer to; `SHA-256` has the shape of a number, but no book. */
async function citationsIn(root: string, rules: readonly Rule[]): Promise<Rule[]> {
  const families = [...new Set(rules.map(({ id }) => id.replace(/-\d+$/, "")))];
  if (families.length === 0) return [];
  const cited = new RegExp(`\\b(?:${families.join("|")})-\\d+\\b`, "g");
  const files = await filesEndingWith(root, [".md", ".ts", ".tsx"]);
  const found = await Promise.all(
    files.map(async (file) =>
      (await linesOf(root, file)).flatMap((text, index) =>
        file.endsWith(".md") || COMMENT.test(text)
          ? [...text.matchAll(cited)].map(([id]) => ({ id, file, line: index + 1 }))
          : [],
      ),
    ),
  );
  return found.flat();
}

/**
 * Find numbered rules without a test that names them, numbers that are given twice, and tests, documents and
 * comments that name an unknown rule.
 */
export const ruleProofs: Check = {
  name: "every rule has its test",
  async run(root) {
    const rules = (await Promise.all(RULE_BOOKS.map((file) => rulesOf(root, file)))).flat();
    const tests = await filesEndingWith(root, TEST_FILES);
    const named = (await Promise.all(tests.map((file) => namesOf(root, file)))).flat();
    const first = new Map<string, Rule>();
    const twice: Finding[] = [];
    for (const rule of rules) {
      const { id, file, line } = rule;
      const other = first.get(id);
      if (other)
        twice.push({ file, line, message: `gives ${id} again: it is in ${other.file}:${other.line}` });
      else first.set(id, rule);
    }
    const proved = new Set(named.map(({ id }) => id));
    const unproved = rules
      .filter(({ id }) => !proved.has(id))
      .map(({ id, file, line }): Finding => ({ file, line, message: `no test is named [${id}]` }));
    const unwritten = named
      .filter(({ id }) => !first.has(id))
      .map(({ id, file, line }) => ({ file, line, message: `is named by ${id}, which is no rule` }));
    const dead = (await citationsIn(root, rules))
      .filter(({ id }) => !first.has(id))
      .map(({ id, file, line }) => ({ file, line, message: `refers to ${id}, which is no rule` }));
    return [...twice, ...unproved, ...unwritten, ...dead];
  },
};

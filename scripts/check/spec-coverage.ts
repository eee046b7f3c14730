import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "./finding.ts";
import { readTestTitles, type TestTitle } from "./test-titles.ts";

export const SPEC_COVERAGE = "docs/internal/spec-coverage.md";

const PROVED_BY = "proved by";
const QUOTED = /“([^”]*)”(?: \([^)]*\))?/g;
const SUMS = /(<!-- sums -->\n)[\s\S]*?(?=\n<!-- end of sums -->)/;
const FURTHER = /(<!-- further tests -->\n)[\s\S]*?(?=\n<!-- end of further tests -->)/;

export interface SpecCoverage {
  /** The document with its generated parts as they should be. */
  readonly text: string;
  /** Quoted titles that no test has, with their line. */
  readonly unknown: readonly { readonly line: number; readonly title: string }[];
}

const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
/** A bar would end the cell of a table, a typographic quotation mark the quotation. */
const inCell = (title: string): string => title.replaceAll("|", "\\|").replaceAll(/[“”]/g, '"');

/** Return the files of each title, sorted. */
function filesByTitle(titles: readonly TestTitle[]): Map<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const { title, file } of titles) {
    const key = inCell(title);
    files.set(key, (files.get(key) ?? new Set()).add(file));
  }
  return new Map([...files].map(([title, names]) => [title, [...names].toSorted(byText)]));
}

/** Return the title that is quoted whole, or the first one that begins with the quotation. */
function titleOf(
  quoted: string,
  known: readonly string[],
  files: ReadonlyMap<string, unknown>,
): string | null {
  if (files.has(quoted)) return quoted;
  return known.find((title) => title.startsWith(quoted)) ?? null;
}

/**
 * Complete the document: each quoted title in full with the files that have it, the sums, and the tests of
 * the specification that no line quotes.
 */
export function renderSpecCoverage(text: string, titles: readonly TestTitle[]): SpecCoverage {
  const files = filesByTitle(titles);
  const known = [...files.keys()].toSorted(byText);
  const unknown: { line: number; title: string }[] = [];
  const quotedTitles = new Set<string>();
  const sums = { lines: 0, tested: 0, seen: 0 };
  let column = -1;
  const lines = text.split("\n").map((line, index) => {
    if (!line.startsWith("| ")) {
      column = -1;
      return line;
    }
    const cells = cellsOf(line);
    if (column === -1) {
      column = cells.indexOf(PROVED_BY);
      return line;
    }
    const cell = cells[column];
    if (cell === undefined || line.startsWith("| ---")) return line;
    let tests = 0;
    const rendered = cell.replaceAll(QUOTED, (all: string, quoted: string) => {
      const title = titleOf(quoted, known, files);
      if (title === null) {
        unknown.push({ line: index + 1, title: quoted });
        return all;
      }
      tests += 1;
      quotedTitles.add(title);
      return `“${title}” (${(files.get(title) ?? []).join(", ")})`;
    });
    sums.lines += 1;
    if (tests > 0) sums.tested += 1;
    else if (cell.includes("eye")) sums.seen += 1;
    return `| ${cells.with(column, rendered).join(" | ")} |`;
  });
  const further = known
    .filter((title) => title.startsWith("[spec ") && !quotedTitles.has(title))
    .map((title) => `- ${title} (${(files.get(title) ?? []).join(", ")})`);
  const others = sums.lines - sums.tested - sums.seen;
  return {
    text: lines
      .join("\n")
      .replace(
        SUMS,
        (_, head: string) =>
          `${head}${sums.lines} lines: ${sums.tested} with a test, ${sums.seen} looked at in pictures, ${others} by a check or not yet.`,
      )
      .replace(FURTHER, (_, head: string) => `${head}${further.join("\n")}`),
    unknown,
  };
}

/** Find quoted titles that no test has, and a document whose generated parts are not current. */
export const specCoverage: Check = {
  name: "coverage of the specification",
  async run(root) {
    if (!existsSync(join(root, SPEC_COVERAGE))) return [];
    const text = await readFile(join(root, SPEC_COVERAGE), "utf8");
    const { text: current, unknown } = renderSpecCoverage(text, await readTestTitles(root));
    const findings = unknown.map(({ line, title }) => ({
      file: SPEC_COVERAGE,
      line,
      message: `quotes “${title}”, which no test is called`,
    }));
    if (current === text) return findings;
    return [...findings, { file: SPEC_COVERAGE, message: "is not current: run pnpm spec-coverage" }];
  },
};

import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { filesEndingWith } from "./source-files.ts";

/** Files with tests, and the suites that several of them run. */
export const TEST_FILES = [".test.ts", ".test.tsx", ".suite.ts", ".e2e.ts", ".fault.ts"];
/** A string that begins with what it proves in brackets: `[CMD-2] …`, `[spec 3] …`, `[login] …`. */
const TITLE = /(["'`])(\[[^\]\n]+\] (?:\\.|(?!\1)[^\\\n])+)\1/g;

/** One title of a test, as it is written in the source: `%s` and `$name` stay. */
export interface TestTitle {
  readonly title: string;
  /** Name of the file, without its folder. */
  readonly file: string;
}

/** Return the titles in the text of one test file. */
export const titlesIn = (file: string, text: string): TestTitle[] =>
  [...text.matchAll(TITLE)].map((match) => ({
    title: (match[2] ?? "").replaceAll(/\\(.)/g, "$1"),
    file: posix.basename(file),
  }));

/** Return the titles of all tests; journeys share some that are in `testing/` and in `e2e/pages/`. */
export async function readTestTitles(root: string): Promise<TestTitle[]> {
  const tests = await filesEndingWith(root, TEST_FILES);
  const shared = (await filesEndingWith(root, [".ts"])).filter(
    (file) => /^(testing|e2e)\//.test(file) && !tests.includes(file),
  );
  const found = await Promise.all(
    [...tests, ...shared].map(async (file) => titlesIn(file, await readFile(join(root, file), "utf8"))),
  );
  return found.flat();
}

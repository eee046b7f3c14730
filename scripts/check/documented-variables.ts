import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { isTestCode, sourceFiles } from "./source-files.ts";

const DOCUMENT = "docs/configuration.md";

/** Code whose variables people set: the servers, the build and the commands; not what only tests use. */
const READERS = /^(api|relay)\/src\/|^scripts\/(?!check\/|start\/fake-servers)|^web\/vite\.config\.ts$/;

/** Variables of the operating system and of tools, passed on as they are. */
const FOREIGN = new Set(["PATH", "HOME", "NODE_ENV", "DEBIAN_FRONTEND"]);

const READ = [
  /\benv(?:ironment)?\.([A-Z][A-Z0-9_]+)\b/g,
  /\b(?:textOf|portOf)\(environment, "([A-Z][A-Z0-9_]+)"/g,
  /\b([A-Z][A-Z0-9_]+): "1" \}/g,
];
/** The schema of a server's environment: one property for each variable. */
const CONFIG = /export const Config = Type\.Object\(\{\n([\s\S]*?)\n\}\);/;
const PROPERTY = /^ {2}([A-Z][A-Z0-9_]+):/gm;

const allOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

const readIn = (text: string): string[] => [
  ...READ.flatMap((pattern) => allOf(text, pattern)),
  ...allOf(CONFIG.exec(text)?.[1] ?? "", PROPERTY),
];

/** Return the variables in the first column of the document's tables, with their line. */
const documentedIn = (text: string): Map<string, number> =>
  new Map(
    text.split("\n").flatMap((line, index) => {
      const [, cell = ""] = line.split("|");
      return line.startsWith("| `")
        ? allOf(cell, /`([A-Z][A-Z0-9_]+)`/g).map((name): [string, number] => [name, index + 1])
        : [];
    }),
  );

/** Find variables that the code reads and the page of the configuration lacks, and the other way round. */
export const documentedVariables: Check = {
  name: "documented variables",
  async run(root) {
    if (!existsSync(join(root, DOCUMENT))) return [];
    const documented = documentedIn(await readFile(join(root, DOCUMENT), "utf8"));
    const files = (await sourceFiles(root)).filter((file) => READERS.test(file) && !isTestCode(file));
    const read = new Map<string, string>();
    for (const file of files) {
      for (const name of readIn(await readFile(join(root, file), "utf8"))) {
        if (!FOREIGN.has(name) && !read.has(name)) read.set(name, file);
      }
    }
    const missing = [...read]
      .filter(([name]) => !documented.has(name))
      .map(([name, file]): Finding => ({ file, message: `reads ${name}, which ${DOCUMENT} does not list` }));
    const unread = [...documented]
      .filter(([name]) => !read.has(name))
      .map(
        ([name, line]): Finding => ({ file: DOCUMENT, line, message: `lists ${name}, which is not read` }),
      );
    return [...missing, ...unread];
  },
};

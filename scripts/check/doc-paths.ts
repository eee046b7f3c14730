import { existsSync, globSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith } from "./source-files.ts";

const DOCUMENTS = /^([A-Z]+\.md|docs\/.*\.md|[a-z0-9]+\/[A-Z]+\.md)$/;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`([^`\n]+)`/g;
const PATH = /^[\w.@-]+(\/[\w.@*{},<>-]+)+\/?$/;

interface Mention {
  readonly line: number;
  /** Path relative to the root. */
  readonly path: string;
}

/** Return the lines outside fenced blocks, which show commands and trees and are not read as paths. */
const linesOutsideFences = (text: string): { line: number; text: string }[] => {
  let fenced = false;
  return text.split("\n").flatMap((content, index) => {
    if (content.trimStart().startsWith("```")) {
      fenced = !fenced;
      return [];
    }
    return fenced ? [] : [{ line: index + 1, text: content }];
  });
};

const linkedPath = (document: string, link: string): string | null => {
  const path = decodeURI(link.replace(/#.*$/, ""));
  if (path === "" || /^[a-z]+:/.test(path)) return null;
  return posix.join(posix.dirname(document), path);
};

/**
 * Return the repository path in a code span, or null. `relay/src/core/` is one; `mulkko/{serial}/up` and
 * `api/v1` are not.
 */
const quotedPath = (code: string, topLevel: ReadonlySet<string>): string | null => {
  const path = code.replace(/:\d+$/, "");
  const isOurs = PATH.test(path) && topLevel.has(path.split("/")[0] ?? "");
  return isOurs ? path : null;
};

const mentions = (document: string, text: string, topLevel: ReadonlySet<string>): Mention[] =>
  linesOutsideFences(text).flatMap(({ line, text: content }) => {
    const links = [...content.matchAll(LINK)].map((match) => linkedPath(document, match[1] ?? ""));
    const codes = [...content.matchAll(CODE)].map((match) => quotedPath(match[1] ?? "", topLevel));
    return [...links, ...codes].flatMap((path) => (path === null ? [] : [{ line, path }]));
  });

/** Return true if the path exists; `<name>` and `*` match any name. */
const exists = (root: string, path: string): boolean => {
  const pattern = path.replace(/<[^>]*>/g, "*");
  return /[*{]/.test(pattern) ? globSync(pattern, { cwd: root }).length > 0 : existsSync(join(root, path));
};

/** Find paths in documents, linked or quoted, that do not exist. */
export const docPaths: Check = {
  name: "paths in documents",
  async run(root) {
    const documents = (await filesEndingWith(root, [".md"])).filter((file) => DOCUMENTS.test(file));
    const topLevel = new Set(await readdir(root));
    const findings = await Promise.all(
      documents.map(async (file): Promise<Finding[]> => {
        const text = await readFile(join(root, file), "utf8");
        return mentions(file, text, topLevel)
          .filter(({ path }) => !exists(root, path))
          .map(({ line, path }) => ({ file, line, message: `names ${path}, which does not exist` }));
      }),
    );
    return findings.flat();
  },
};

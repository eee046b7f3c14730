import { existsSync, globSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith, isTestCode } from "./source-files.ts";

const DOCUMENTS = /^([A-Z]+\.md|docs\/.*\.md|[a-z0-9]+\/[A-Z]+\.md)$/;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`([^`\n]+)`/g;
const PATH = /^[\w.@-]+(\/[\w.@*{},<>-]+)+\/?$/;
/** The arguments of a command that runs tests, in a fenced block or a code span. */
const TESTS_RUN = /\bvitest run ([^`\n]+)/g;

/** A document that code refers to; what tests of the checks quote is no reference. */
const DOCUMENT_IN_CODE = /\bdocs\/[\w./-]+\.md\b/g;
const COMMENT = /^\s*(\*|#)|\/\*|\/\//;

interface Mention {
  readonly line: number;
  /** Path relative to the root. */
  readonly path: string;
  /** Heading that a link leads to, as GitHub names it. */
  readonly anchor: string | null;
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

const linked = (document: string, link: string): Omit<Mention, "line"> | null => {
  if (/^[a-z]+:/.test(link)) return null;
  const [path = "", anchor] = decodeURI(link).split("#");
  return {
    path: path === "" ? document : posix.join(posix.dirname(document), path),
    anchor: anchor ?? null,
  };
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

/** Return the paths of the tests that a document says to run. */
const testPaths = (text: string, topLevel: ReadonlySet<string>): Mention[] =>
  text.split("\n").flatMap((content, index) =>
    [...content.matchAll(TESTS_RUN)].flatMap((match) =>
      (match[1] ?? "")
        .split(/\s+/)
        .filter((argument) => quotedPath(argument, topLevel) !== null)
        .map((path) => ({ line: index + 1, path, anchor: null })),
    ),
  );

const mentions = (document: string, text: string, topLevel: ReadonlySet<string>): Mention[] => [
  ...testPaths(text, topLevel),
  ...linesOutsideFences(text).flatMap(({ line, text: content }) => {
    const links = [...content.matchAll(LINK)].flatMap((match) => linked(document, match[1] ?? "") ?? []);
    const codes = [...content.matchAll(CODE)].flatMap((match) => {
      const path = quotedPath(match[1] ?? "", topLevel);
      return path === null ? [] : [{ path, anchor: null }];
    });
    return [...links, ...codes].map((mention) => ({ ...mention, line }));
  }),
];

/** Return the anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    linesOutsideFences(text).flatMap(({ text: line }) => {
      const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
      if (heading === undefined) return [];
      const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "");
      return [words.replaceAll(" ", "-")];
    }),
  );

const lacksAnchor = async (root: string, { path, anchor }: Mention): Promise<boolean> =>
  anchor !== null && path.endsWith(".md") && !anchorsOf(await readFile(join(root, path), "utf8")).has(anchor);

async function findingsInDocument(
  root: string,
  file: string,
  topLevel: ReadonlySet<string>,
): Promise<Finding[]> {
  const text = await readFile(join(root, file), "utf8");
  const found = await Promise.all(
    mentions(file, text, topLevel).map(async (mention): Promise<Finding[]> => {
      const { line, path, anchor } = mention;
      if (!exists(root, path)) return [{ file, line, message: `names ${path}, which does not exist` }];
      if (!(await lacksAnchor(root, mention))) return [];
      return [{ file, line, message: `leads to #${anchor} of ${path}, which has no such heading` }];
    }),
  );
  return found.flat();
}

async function findingsInCode(root: string, file: string): Promise<Finding[]> {
  const text = await readFile(join(root, file), "utf8");
  const isQuoting = isTestCode(file) || file.startsWith("scripts/check/");
  return text
    .split("\n")
    .flatMap((line, index) =>
      isQuoting && !COMMENT.test(line)
        ? []
        : [...line.matchAll(DOCUMENT_IN_CODE)].flatMap(([path]) =>
            exists(root, path)
              ? []
              : [{ file, line: index + 1, message: `names ${path}, which does not exist` }],
          ),
    );
}

/** Return true if the path exists; `<name>` and `*` match any name. */
const exists = (root: string, path: string): boolean => {
  const pattern = path.replace(/<[^>]*>/g, "*");
  return /[*{]/.test(pattern) ? globSync(pattern, { cwd: root }).length > 0 : existsSync(join(root, path));
};

/** Find paths and headings that documents link to, and documents that code refers to, that do not exist. */
export const docPaths: Check = {
  name: "paths in documents",
  async run(root) {
    const documents = (await filesEndingWith(root, [".md"])).filter((file) => DOCUMENTS.test(file));
    const code = await filesEndingWith(root, [".ts", ".tsx", ".sql", ".css", ".yml", ".cfg", "Dockerfile"]);
    const topLevel = new Set(await readdir(root));
    const findings = await Promise.all([
      ...documents.map((file) => findingsInDocument(root, file, topLevel)),
      ...code.map((file) => findingsInCode(root, file)),
    ]);
    return findings.flat();
  },
};

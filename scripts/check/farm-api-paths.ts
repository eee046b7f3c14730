import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Check, Finding } from "./finding.ts";
import { isTestCode, sourceFiles } from "./source-files.ts";

const TABLE = "shared/src/rest/operations/";
const FROM_THE_TABLE = /^(?:(?:api|shared|web)\/src|testing)\//;
/** Beginning of a path of the farm API, or of a regular expression that recognises one. */
const PATH = /^\^?\/?api\/(?:v1|account)\b/;

/** Return the places of one file that spell a path of the farm API. */
function pathFindings(file: string, text: string): Finding[] {
  const lines = new Set<number>();
  const see = (start: number, literal: string): void => {
    if (PATH.test(literal.replaceAll("\\", ""))) lines.add(text.slice(0, start).split("\n").length);
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") see(node.start, node.value);
      else if ("regex" in node) see(node.start, node.regex.pattern);
    },
    TemplateElement({ start, value }) {
      see(start, value.raw);
    },
  }).visit(parseSync(file, text).program);
  return [...lines].map((line) => ({
    file,
    line,
    message: `spells a path of the farm API: use its row in ${TABLE}`,
  }));
}

/** Decisions about a call are made from its row, never from its spelling; tests may send any spelling. */
export const farmApiPaths: Check = {
  name: "paths of the farm API are in the table of calls alone",
  async run(root) {
    const files = (await sourceFiles(root)).filter(
      (file) => FROM_THE_TABLE.test(file) && !file.startsWith(TABLE) && !isTestCode(file),
    );
    const found = await Promise.all(
      files.map(async (file) => pathFindings(file, await readFile(join(root, file), "utf8"))),
    );
    return found.flat();
  },
};

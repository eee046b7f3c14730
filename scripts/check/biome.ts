import { relative } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { runTool } from "./run-tool.ts";

/** Biome's reporter for GitHub is its only output of one line per finding. */
const LINE = /^::(?:error|warning) title=([^,]*),file=([^,]*),line=(\d+)[^:]*::(.*)$/;

const ADVICE: Readonly<Record<string, string>> = {
  format: "is not formatted; type: pnpm format",
  "assist/source/organizeImports": "has unsorted imports; type: pnpm format",
};

const parseLine = (root: string, line: string): Finding | null => {
  const [, title, file, number, message] = LINE.exec(line) ?? [];
  if (title === undefined || file === undefined || message === undefined) return null;
  return {
    file: relative(root, file),
    line: Number(number),
    message: ADVICE[title] ?? `${title}: ${message}`,
  };
};

/** Check format, lint and circular imports: `biome.json` has the rules. */
export const biome: Check = {
  name: "format and lint (Biome)",
  async run(root) {
    const result = await runTool(root, "biome", [
      "check",
      "--reporter=github",
      "--max-diagnostics=none",
      "--error-on-warnings",
      ".",
    ]);
    if (result.code === 0) return [];
    const findings = result.stdout.split("\n").map((line) => parseLine(root, line));
    const known = findings.filter((finding) => finding !== null);
    return known.length > 0 ? known : [{ file: null, message: `Biome: ${result.stdout}${result.stderr}` }];
  },
};

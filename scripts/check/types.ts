import type { Check, Finding } from "./finding.ts";
import { runTool } from "./run-tool.ts";

const LINE = /^(\S.*?)\((\d+),\d+\): error (.*)$/;

const parseLine = (line: string): Finding | null => {
  const [, file, number, message] = LINE.exec(line) ?? [];
  return file === undefined || message === undefined ? null : { file, line: Number(number), message };
};

/**
 * Check types with `tsc -b`, never `tsc -p`: on a root of references the latter exits 0 over type errors.
 * `--force`, because TypeScript 7.0 keeps the results of its last build when only `lib` in a tsconfig has
 * changed.
 */
export const types: Check = {
  name: "types (tsc -b)",
  async run(root) {
    const { code, stdout, stderr } = await runTool(root, "tsc", ["-b", "--force", "--pretty", "false"]);
    if (code === 0) return [];
    const findings = stdout.split("\n").map(parseLine);
    const known = findings.filter((finding) => finding !== null);
    return known.length > 0 ? known : [{ file: null, message: `tsc: ${stdout}${stderr}` }];
  },
};

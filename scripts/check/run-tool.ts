import { execFile } from "node:child_process";
import { join } from "node:path";
import { withThisNode } from "../process/node-path.ts";
import { ROOT } from "../root.ts";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** This workspace's own programs serve every root, so that a test can check a folder without any. */
const PROGRAMS = join(ROOT, "node_modules/.bin");

export interface ToolResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Run one of the workspace's programs in `root`.
 *
 * @throws Error if the program cannot be started
 */
export const runTool = (root: string, program: string, args: readonly string[]): Promise<ToolResult> =>
  new Promise((done, fail) => {
    const options = { cwd: root, env: withThisNode(), maxBuffer: MAX_OUTPUT_BYTES };
    execFile(join(PROGRAMS, program), args, options, (error, stdout, stderr) => {
      if (error === null) done({ code: 0, stdout, stderr });
      else if (typeof error.code === "number") done({ code: error.code, stdout, stderr });
      else fail(new Error(`${program} could not be run`, { cause: error }));
    });
  });

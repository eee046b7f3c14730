import { spawn } from "node:child_process";
import { once } from "node:events";
import { withThisNode } from "./node-path.ts";

/**
 * Run a script to its end, with closed input and our own output.
 *
 * @returns its exit code; 1 when a signal ended it
 */
export const runNode = async (
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<number> => {
  const child = spawn(process.execPath, args, {
    cwd,
    env: withThisNode(environment),
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code]: unknown[] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
};

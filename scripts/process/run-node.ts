import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
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

/**
 * Run a script to its end, with closed input, and print its output only if it fails.
 *
 * @returns its exit code; 1 when a signal ended it
 */
export const runNodeQuietly = async (args: readonly string[], cwd: string): Promise<number> => {
  const child = spawn(process.execPath, args, {
    cwd,
    env: withThisNode(process.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code]: unknown[] = await once(child, "close");
  if (code !== 0) process.stderr.write((await output).join(""));
  return typeof code === "number" ? code : 1;
};

import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** How long a process may take to collect its garbage, ms. */
const PATIENCE_MS = 30_000;
const TELLER = resolve(import.meta.dirname, "tell-heap.ts");

/** The environment with which processes tell what their heap holds. @param file where they write it */
export const heapTeller = (file: string): Record<string, string> => ({
  HEAP_FILE: file,
  NODE_OPTIONS: `--expose-gc --import=${pathToFileURL(TELLER).href}`,
});

/**
 * What the JavaScript of a process holds after everything that could be collected was, bytes. What the machine counts
 * as its memory goes up and down by tens of megabytes with the moments of its collections.
 *
 * @throws Error when it does not answer
 */
export async function heapOf(pid: number, file: string): Promise<number> {
  await rm(file, { force: true });
  process.kill(pid, "SIGUSR2");
  for (const from = Date.now(); Date.now() - from < PATIENCE_MS; await sleep(50))
    if (existsSync(file)) return Number(await readFile(file, "utf8"));
  throw new Error(`process ${pid} does not say what its heap holds`);
}

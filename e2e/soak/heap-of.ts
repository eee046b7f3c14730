import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** Maximum time of a process's garbage collection, ms. */
const PATIENCE_MS = 30_000;
const TELLER = resolve(import.meta.dirname, "tell-heap.ts");

/** Return the environment with which processes report their heap. @param file for the report */
export const heapTeller = (file: string): Record<string, string> => ({
  HEAP_FILE: file,
  NODE_OPTIONS: `--expose-gc --import=${pathToFileURL(TELLER).href}`,
});

/**
 * Return the JavaScript heap of a process after a garbage collection, bytes. Its memory by the operating
 * system varies by tens of megabytes with the moments of its collections.
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

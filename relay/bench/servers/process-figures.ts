import { setTimeout as wait } from "node:timers/promises";
import type { Memory } from "./messages.ts";

/** CPU time of this process so far, ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Memory in use once everything that is garbage is gone; needs `--expose-gc`. */
export async function memoryInUse(): Promise<Memory> {
  // What a collection frees may have held buffers, which the next one frees.
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.();
    await wait(100);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed, buffers: external };
}

import { setTimeout as wait } from "node:timers/promises";
import type { Memory } from "./messages.ts";

/** Return the CPU time of this process so far, ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Return the memory in use after garbage collections; needs `--expose-gc`. */
export async function memoryInUse(): Promise<Memory> {
  // Objects freed by one collection may have held buffers, which the next one frees.
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.();
    await wait(100);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed, buffers: external };
}

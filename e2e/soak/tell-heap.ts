// Preloaded into a measured process (NODE_OPTIONS, with --expose-gc): on SIGUSR2 it collects its garbage and
// writes the bytes of its heap to the file that HEAP_FILE names.
import { renameSync, writeFileSync } from "node:fs";

const file = process.env.HEAP_FILE;
if (file !== undefined) {
  process.on("SIGUSR2", () => {
    globalThis.gc?.();
    writeFileSync(`${file}.part`, `${process.memoryUsage().heapUsed}`);
    renameSync(`${file}.part`, file);
  });
}

import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** Passes `from` on to `to` line by line, each with the name of the process that wrote it. */
export const prefixLines = (from: Readable, to: Writable, name: string): void => {
  const lines = createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => to.write(`${name.padEnd(5)} │ ${line}\n`));
};

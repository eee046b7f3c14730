import { once } from "node:events";
import { stderr, stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { importCommand } from "./command.ts";

const LOOK_MS = 500;
/** Interval of progress lines where lines cannot be replaced, as in a log, ms. */
const LOG_MS = 5_000;

/** The input of a hidden question is not echoed. */
async function ask(question: string, { hidden }: { readonly hidden: boolean }): Promise<string> {
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: stdin.isTTY });
  const [answer] = await Promise.race([once(lines, "line"), once(lines, "close").then(() => [""])]);
  lines.close();
  if (hidden) stderr.write("\n");
  return String(answer);
}

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
let shownAt = Number.NEGATIVE_INFINITY;

process.exitCode = await importCommand(process.argv.slice(2), {
  environment: process.env,
  // pnpm runs this in the package's folder, and passes the caller's folder.
  folder: process.env.INIT_CWD ?? process.cwd(),
  signal: stop.signal,
  ask,
  wait: () => sleep(LOOK_MS),
  say: (line) => void stdout.write(`${line}\n`),
  show(line) {
    if (stderr.isTTY) stderr.write(`\r\x1b[2K${line ?? ""}`);
    else if (line !== null && performance.now() - shownAt >= LOG_MS) {
      shownAt = performance.now();
      stderr.write(`${line}\n`);
    }
  },
});

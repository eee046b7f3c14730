import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ImportProgress } from "@mulkko/shared/rest/import";
import { ClientError, createImportClient, type ImportClient } from "./client.ts";

const WIDTH = 30;
const MIB = 1024 * 1024;
const count = new Intl.NumberFormat("en-US");
const mib = (bytes: number): string => (bytes / MIB).toFixed(1);

/** Format `[######----] 60 %  1.2 of 2.0 MiB`. @param of 0 counts as done */
function barOf(bytes: number, of: number): string {
  const share = of > 0 ? Math.min(1, bytes / of) : 1;
  const filled = Math.round(share * WIDTH);
  const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
  return `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${mib(bytes)} of ${mib(of)} MiB`;
}

function progressLine({ bytesRead, bytesTotal, readingsStored, rowsRejected }: ImportProgress): string {
  const rejected = rowsRejected > 0 ? `, ${count.format(rowsRejected)} rows rejected` : "";
  return `${barOf(bytesRead, bytesTotal)}  ${count.format(readingsStored)} readings${rejected}`;
}

/** True where some content of the file is not stored. */
const hasRejects = ({ rowsRejected, valuesRejected }: ImportProgress): boolean =>
  rowsRejected + valuesRejected > 0;

const rejectLine = ({ line, column, reason, value }: ImportProgress["rejects"][number]): string => {
  const where = column === null ? `line ${line}` : `line ${line}, ${column}`;
  return `  ${where}: ${reason}${value === "" ? "" : ` (${value})`}`;
};

/** Format the result of an import, line by line. */
function reportLines(progress: ImportProgress): string[] {
  const { rows, rowsIgnored, rowsEmpty, rowsRejected, valuesRejected, reasons, rejects } = progress;
  const lines = [
    `${count.format(progress.readingsStored)} readings stored, ${count.format(progress.readingsKnown)} known before or twice in the file`,
    `${count.format(rows)} rows: ${count.format(rowsRejected)} rejected, ${count.format(rowsEmpty)} without a value, ${count.format(rowsIgnored)} more ignored; ${count.format(valuesRejected)} values rejected in rows of which the rest was taken`,
  ];
  const why = Object.entries(reasons).map(([reason, times]) => `${reason} ${count.format(times)}`);
  if (why.length > 0) lines.push(`Why: ${why.join(", ")}`);
  lines.push(...rejects.map(rejectLine));
  const all = Object.values(reasons).reduce((sum, times) => sum + times, 0);
  if (all > rejects.length) lines.push(`  … and ${count.format(all - rejects.length)} more`);
  return lines;
}

export const USAGE = `Usage: pnpm --filter api run import -- --file readings.csv --mapping mapping.json
  --url URL            the farm API; default http://localhost:8081
  --username NAME      an administrator; asked for if absent
  --allow-rejects      exit code 0 also where something was rejected
The password is asked for, or taken from MULKKO_PASSWORD.`;

/** Environment of the command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Base of relative paths. */
  readonly folder: string;
  say(line: string): void;
  /** Show a line in place of the previous one; null removes it. */
  show(line: string | null): void;
  ask(question: string, options: { readonly hidden: boolean }): Promise<string>;
  /** Wait between two status requests. */
  wait(): Promise<void>;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** Exit codes: all stored; something rejected, or nothing done; interrupted. */
const EXIT = { well: 0, failed: 1, stopped: 130 } as const;

const OPTIONS = {
  file: { type: "string" },
  mapping: { type: "string" },
  url: { type: "string", default: "http://localhost:8081" },
  username: { type: "string" },
  "allow-rejects": { type: "boolean", default: false },
} as const;

function readOptions(
  args: readonly string[],
): { file: string; mapping: string } & ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"] {
  // pnpm passes its own `--` on.
  const own = args[0] === "--" ? args.slice(1) : args;
  const { values } = parseArgs({ args: [...own], options: OPTIONS });
  const { file, mapping } = values;
  if (!file || !mapping) throw new TypeError("--file and --mapping are needed");
  return { ...values, file, mapping };
}

async function follow(client: ImportClient, id: string, terminal: Terminal): Promise<ImportProgress> {
  for (;;) {
    const progress = terminal.signal.aborted ? await client.cancel(id) : await client.progress(id);
    if (progress.state !== "running") return progress;
    terminal.show(progressLine(progress));
    await terminal.wait();
  }
}

function conclude(progress: ImportProgress, allowRejects: boolean, terminal: Terminal): number {
  terminal.show(null);
  for (const line of reportLines(progress)) terminal.say(line);
  switch (progress.state) {
    case "failed":
      terminal.say(`Failed: ${progress.problem}`);
      return EXIT.failed;
    case "cancelled":
      terminal.say("Cancelled. What was stored stays.");
      return EXIT.stopped;
    case "done":
    case "running":
      return hasRejects(progress) && !allowRejects ? EXIT.failed : EXIT.well;
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = readOptions(args);
  const file = resolve(terminal.folder, options.file);
  const mapping = await readFile(resolve(terminal.folder, options.mapping), "utf8");
  const username = options.username ?? (await terminal.ask("Username: ", { hidden: false }));
  const password =
    terminal.environment.MULKKO_PASSWORD ?? (await terminal.ask("Password: ", { hidden: true }));
  const client = createImportClient(options.url);
  await client.signIn(username, password);
  try {
    const id = await client.upload(file, mapping, (bytes, of) =>
      terminal.show(`Sending ${barOf(bytes, of)}`),
    );
    return conclude(await follow(client, id, terminal), options["allow-rejects"], terminal);
  } finally {
    await client.signOut();
  }
}

/** Send a file to a running farm API, and show the progress. @returns the exit code */
export async function importCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(args, terminal);
  } catch (error) {
    terminal.show(null);
    if (error instanceof TypeError) terminal.say(`${error.message}\n${USAGE}`);
    else if (error instanceof ClientError) terminal.say(error.message);
    else if (error instanceof Error && "code" in error)
      terminal.say(`A file cannot be read: ${error.message}.`);
    else throw error;
    return EXIT.failed;
  }
}

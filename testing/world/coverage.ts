import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plan } from "./plan/plan.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Two happenings meet if the second one begins within this time of the first one, ms. */
const MEET_MS = 60_000;

/** Beginnings of the paths whose code decides about valves, alarms, times and what is drawn. */
const DECIDES = [
  "api/src/ingest/",
  "api/src/valves/",
  "relay/src/alarms/",
  "relay/src/access/",
  "relay/src/upstream/",
  "relay/src/valves/",
  "shared/src/rules/",
  "web/src/domain/alarm/",
  "web/src/domain/form/saving",
  "web/src/domain/valve/",
  "web/src/live/",
  "testing/world/rules/",
];

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Lines of a file with code, and those of them that were not reached, from 1 on. */
export interface Reached {
  readonly lines: number;
  readonly missed: readonly number[];
}

const isCode = (line: string): boolean =>
  /[\w"'`]/.test(line) && !/^\s*(\/\/|\/?\*|import |export type )/.test(line);

/** Return what of a file was reached. @param ranges of all its functions, outer ones first */
export function reachedOf(text: string, ranges: readonly Range[]): Reached {
  let offset = 0;
  let lines = 0;
  const missed: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const at = offset + line.search(/\S|$/);
    offset += line.length + 1;
    if (!isCode(line)) continue;
    lines += 1;
    // The last range that holds a place is the innermost one.
    const own = ranges.findLast(({ startOffset, endOffset }) => startOffset <= at && at < endOffset);
    if (own?.count === 0) missed.push(index + 1);
  }
  return { lines, missed };
}

/** Return lines as `3, 7-9`. */
function inWords(lines: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else runs.push([line, line]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}

/** Measures which code that decides is reached by worlds, and which happenings meet in them. */
export class Coverage {
  readonly #session = new Session();
  readonly #meetings = new Map<string, number>();
  readonly #kinds = new Map<string, number>();

  /** Begin before the code is loaded of which it tells. */
  async begin(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Count the happenings of a world, and the kinds of them that meet. */
  note({ happenings }: Plan): void {
    const count = (counts: Map<string, number>, keys: Iterable<string>): void => {
      for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
    };
    const sorted = [...happenings].sort((a, b) => a.at - b.at);
    count(
      this.#kinds,
      sorted.map(({ kind }) => kind),
    );
    const meetings: string[] = [];
    for (const [index, { at, kind }] of sorted.entries()) {
      for (let next = index + 1; (sorted[next]?.at ?? Number.POSITIVE_INFINITY) < at + MEET_MS; next += 1)
        meetings.push([kind, sorted[next]?.kind ?? ""].sort().join(" + "));
    }
    count(this.#meetings, meetings);
  }

  /** Return it as lines of text. */
  async report(): Promise<string[]> {
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    const out: string[] = [];
    const sum = { lines: 0, missed: 0 };
    for (const { url, functions } of result.sort((a, b) => (a.url < b.url ? -1 : 1))) {
      if (!url.startsWith("file:")) continue;
      const path = relative(ROOT, fileURLToPath(url));
      if (!DECIDES.some((place) => path.startsWith(place))) continue;
      const ranges = functions
        .flatMap((one) => one.ranges)
        .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
      const { lines, missed } = reachedOf(readFileSync(fileURLToPath(url), "utf8"), ranges);
      sum.lines += lines;
      sum.missed += missed.length;
      if (missed.length > 0)
        out.push(`${path}: ${lines - missed.length} of ${lines} lines; not ${inWords(missed)}`);
    }
    out.push(`all: ${sum.lines - sum.missed} of ${sum.lines} lines that decide`);
    const kinds = [...this.#kinds.keys()].sort();
    const pairs = kinds.flatMap((one, index) => kinds.slice(index).map((other) => `${one} + ${other}`));
    const unmet = pairs.filter((pair) => !this.#meetings.has(pair));
    out.push(
      `${kinds.length} kinds of happenings; ${pairs.length - unmet.length} of ${pairs.length} pairs met within a minute`,
    );
    if (unmet.length > 0) out.push(`never met: ${unmet.join(", ")}`);
    return out;
  }
}

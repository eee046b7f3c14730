import { readFile } from "node:fs/promises";

/** CPU time used so far, s. */
export interface CpuSeconds {
  /** The farm API's own thread. */
  readonly api: number;
  /** The rest of the API process: the database thread and garbage collection. */
  readonly database: number;
  /** The broker; undefined where there is none, or where this machine does not report it. */
  readonly broker: number | undefined;
}

/** Clock ticks per second in `/proc`, on every Linux that Node runs on. */
const TICKS = 100;
const UTIME = 11;

/** Return the CPU time of a process, s; undefined where there is no `/proc`. */
async function secondsOf(pid: number): Promise<number | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The program name, in brackets, may contain spaces.
  const fields = line?.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[UTIME]) + Number(fields[UTIME + 1])) / TICKS;
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** @param broker process of the broker, where it has its own */
export async function cpuSeconds(broker: number | undefined): Promise<CpuSeconds> {
  const api = sum(process.threadCpuUsage());
  const all = sum(process.cpuUsage());
  return { api, database: all - api, broker: broker === undefined ? undefined : await secondsOf(broker) };
}

/**
 * Format `CPU seconds: farm API 1.2, database 3.4, broker 5.6`, and readings per second where `readings` is
 * given.
 */
export function cpuLine(from: CpuSeconds, to: CpuSeconds, readings: number): string {
  const parts = (
    [
      ["farm API", from.api, to.api],
      ["database", from.database, to.database],
      ["broker", from.broker, to.broker],
    ] as const
  ).flatMap(([name, before, after]) => {
    if (before === undefined || after === undefined) return [];
    const seconds = after - before;
    return [`${name} ${seconds.toFixed(1)} (${Math.round(readings / seconds)} readings/s of it)`];
  });
  return parts.join(", ");
}

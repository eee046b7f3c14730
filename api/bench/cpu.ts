import { readFile } from "node:fs/promises";

/** CPU time that was taken until now, s. */
export interface CpuSeconds {
  /** The farm API's own thread. */
  readonly api: number;
  /** The rest of its process: the database's thread, collections of garbage. */
  readonly database: number;
  /** The broker; undefined where there is none, or where this machine does not tell. */
  readonly broker: number | undefined;
}

/** Ticks of a second in `/proc`, on every Linux that Node runs on. */
const TICKS = 100;
const UTIME = 11;

/** CPU time of a process, s; undefined where there is no `/proc`. */
async function secondsOf(pid: number): Promise<number | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The name of the program, in brackets, may have spaces of its own.
  const fields = line?.slice(line.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[UTIME]) + Number(fields[UTIME + 1])) / TICKS;
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** @param broker its process, where it has one of its own */
export async function cpuSeconds(broker: number | undefined): Promise<CpuSeconds> {
  const api = sum(process.threadCpuUsage());
  const all = sum(process.cpuUsage());
  return { api, database: all - api, broker: broker === undefined ? undefined : await secondsOf(broker) };
}

/** `CPU seconds: farm API 1.2, database 3.4, broker 5.6`, with readings for each second where they are given. */
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

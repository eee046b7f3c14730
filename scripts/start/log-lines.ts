import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { prettyFactory } from "pino-pretty";

/** Format of log lines: text for a terminal, or JSON for a program. */
export interface LogWriter {
  /** @param name of the process that wrote the line; empty for the starting one */
  write(name: string, line: string): void;
}

interface LogLine {
  readonly level?: unknown;
  readonly msg?: unknown;
  readonly err?: { readonly message?: unknown };
  readonly req?: unknown;
  readonly reason?: unknown;
}

const NAME_WIDTH = 5;
const INFO = 30;

const parsed = (line: string): LogLine | null => {
  if (!line.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
};

/** Write level, time and message. Successful requests, which are most of the lines, are not shown. */
export const createTerminalLog = (print: (text: string) => void, colorize: boolean): LogWriter => {
  const pretty = prettyFactory({
    colorize,
    translateTime: "SYS:HH:MM:ss",
    hideObject: true,
    ignore: "pid,hostname",
    messageFormat: (log, key) => {
      const { err, reason }: LogLine = log;
      const why = typeof reason === "string" ? reason : err?.message;
      return typeof why === "string" ? `${log[key]}: ${why}` : `${log[key]}`;
    },
  });
  return {
    write(name, line) {
      const log = parsed(line);
      if (log && log.req !== undefined && typeof log.level === "number" && log.level <= INFO) return;
      // An error may contain its stack; the message is enough here.
      const { err, ...rest } = log ?? {};
      const short = err === undefined ? rest : { ...rest, reason: rest.reason ?? err.message };
      const text = log === null ? line : pretty(short).trimEnd();
      print(name === "" ? `${text}\n` : `${name.padEnd(NAME_WIDTH)} │ ${text}\n`);
    },
  };
};

/** Write every line as one JSON object that names its process. @param now ms since 1970 UTC */
export const createJsonLog = (print: (text: string) => void, now: () => number): LogWriter => ({
  write(name, line) {
    const process = name === "" ? "start" : name;
    const log = parsed(line);
    const event = name === "" ? "start" : "output";
    const whole = log ? { process, ...log } : { level: INFO, time: now(), process, event, msg: line };
    print(`${JSON.stringify(whole)}\n`);
  },
});

/** Pass the lines of a process on. */
export const passLines = (
  from: Readable,
  log: LogWriter,
  name: string,
  onLine: (line: string) => void,
): void => {
  const lines = createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => {
    onLine(line);
    log.write(name, line);
  });
};

import type { Log } from "../ports/log.ts";

/** A log that keeps what it is told. */
export interface KeptLog extends Log {
  readonly lines: { level: string; fields: object; message: string }[];
}

export function createKeptLog(): KeptLog {
  const lines: KeptLog["lines"] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

import type { Log } from "../src/runtime/log.ts";

/** A log that keeps its lines. */
export interface CapturedLog extends Log {
  readonly lines: { level: string; fields: object; message: string }[];
}

export function createCapturedLog(): CapturedLog {
  const lines: CapturedLog["lines"] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

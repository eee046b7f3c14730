import { ServerResponse } from "node:http";
import { isDate } from "node:util/types";

/**
 * Preloaded into a process (`node --import`), it sets its wall clock wrong by `CLOCK_AHEAD_MS`, like a
 * machine without time synchronisation. The monotonic clock stays right.
 */
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...parts: [] | [string | number | Date]) {
    if (parts.length === 0) super(RealDate.now() + aheadMs);
    else super(...parts);
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
  /** Node's own timestamps use the other clock. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isDate(value);
  }
}

/** Shift the time in Node's answers, which Node writes by a clock of its own. */
function dateAnswers(): void {
  const { writeHead } = ServerResponse.prototype;
  const dated = function (this: ServerResponse, ...parts: unknown[]): unknown {
    if (!this.headersSent && !this.hasHeader("date")) this.setHeader("date", new Date().toUTCString());
    return Reflect.apply(writeHead, this, parts);
  };
  Object.defineProperty(ServerResponse.prototype, "writeHead", { value: dated, configurable: true });
}

if (aheadMs !== 0) {
  Object.defineProperty(globalThis, "Date", { value: ShiftedDate, configurable: true });
  dateAnswers();
}

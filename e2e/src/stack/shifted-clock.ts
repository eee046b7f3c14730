/**
 * Preloaded into a process (`node --import`), it sets its wall clock wrong by `CLOCK_AHEAD_MS`, as a machine's is
 * whose time nobody keeps. The monotonic clock is as it is.
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
}

if (aheadMs !== 0) Object.defineProperty(globalThis, "Date", { value: ShiftedDate, configurable: true });

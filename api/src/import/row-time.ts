import { messageTime } from "../decode/message-time.ts";
import type { TimeRule } from "./mapping.ts";
import type { TimeReader } from "./time-format.ts";
import type { WallClock } from "./zone.ts";

export type RowTime =
  | { readonly ok: true; readonly at: number }
  | { readonly ok: false; readonly reason: "bad-time" | "no-such-time" | "from-future" };

export interface RowTimes {
  /**
   * Return the time of a row, ms since 1970 UTC.
   *
   * @param series series of the row: the order of its rows distinguishes the two hours at the end of summer
   * time
   */
  read(text: string, series: string, now: number): RowTime;
}

const LATEST_MS = 8.64e15;

/** @param clock null where every format includes its zone */
export function createRowTimes(
  readers: readonly TimeReader[],
  clock: WallClock | null,
  order: NonNullable<TimeRule["order"]>,
): RowTimes {
  // Bounded by the registered sensors.
  const last = new Map<string, number>();

  /** In the repeated hour, the first pass is summer time as long as the series continues in order. */
  const choose = (instants: readonly number[], before: number | undefined): number | undefined => {
    const [first, second] = instants;
    if (first === undefined || second === undefined) return first;
    if (order === "ascending") return before === undefined || before < first ? first : second;
    return before === undefined || before > second ? second : first;
  };

  return {
    read(text, series, now) {
      const written = readers.map((reader) => reader.read(text)).find((time) => time !== null);
      if (!written) return { ok: false, reason: "bad-time" };
      const instants = written.kind === "instant" ? [written.at] : (clock?.instantsOf(written.wall) ?? []);
      const at = choose(instants, last.get(series));
      if (at === undefined) return { ok: false, reason: "no-such-time" };
      if (!(Math.abs(at) <= LATEST_MS)) return { ok: false, reason: "bad-time" };
      last.set(series, at);
      const checked = messageTime(new Date(at).toISOString(), now);
      if (checked.ok) return checked;
      return { ok: false, reason: checked.reason === "from-future" ? "from-future" : "bad-time" };
    },
  };
}

import { TickMarkType, type Time } from "lightweight-charts";

/** Labels of a chart's time axis. Times are wall-clock seconds, already shifted and read as UTC. */
export interface TimeLabels {
  /** Return the label under the axis, as short as the kind of mark allows. */
  tick(time: Time, kind: TickMarkType): string;
  /** Return date and time at the crosshair, with seconds for buckets under a minute. */
  crosshair(time: Time): string;
}

const dateOf = (time: Time): Date => new Date(typeof time === "number" ? time * 1000 : Number.NaN);

/** @param step seconds between buckets */
export function createTimeLabels(language: string, step: number): TimeLabels {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", hourCycle: "h23", ...options });
  const year = format({ year: "numeric" });
  const month = format({ month: "short" });
  const day = format({ month: "numeric", day: "numeric" });
  const time = format({ hour: "2-digit", minute: "2-digit" });
  const seconds = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const full = format({
    month: "short",
    day: "numeric",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    ...(step < 60 ? { second: "2-digit" } : {}),
  });
  return {
    tick(at, kind) {
      const date = dateOf(at);
      switch (kind) {
        case TickMarkType.Year:
          return year.format(date);
        case TickMarkType.Month:
          return month.format(date);
        case TickMarkType.DayOfMonth:
          return day.format(date);
        case TickMarkType.Time:
          return time.format(date);
        case TickMarkType.TimeWithSeconds:
          return seconds.format(date);
      }
    },
    crosshair: (at) => full.format(dateOf(at)),
  };
}

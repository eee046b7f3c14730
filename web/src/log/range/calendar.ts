const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;

/** Month of the calendar; `month` from 1. */
export interface Month {
  readonly year: number;
  readonly month: number;
}

const utcOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (utc: number): string => new Date(utc).toISOString().slice(0, 10);

/** Return the day of an instant (ms UTC) in a time zone, `YYYY-MM-DD`. */
export function dayIn(instant: number, zone: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
  return `${parts.year}-${parts.month}-${parts.day}`;
}

export function addDays(day: string, days: number): string {
  return dayOf(utcOf(day) + days * DAY_MS);
}

export function monthOf(day: string): Month {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) };
}

export function addMonths({ year, month }: Month, months: number): Month {
  const count = year * 12 + month - 1 + months;
  return { year: Math.floor(count / 12), month: (count % 12) + 1 };
}

/** Return the first day of a week: 0 Sunday, as in Korea and America, or 1 Monday, as in China. */
export function firstDayOfWeek(language: string): 0 | 1 {
  return language.startsWith("zh") ? 1 : 0;
}

/** Return the whole weeks of a month, including days of the neighbouring months. */
export function weeksOf({ year, month }: Month, first: 0 | 1): string[][] {
  const begin = Date.UTC(year, month - 1, 1);
  const end = Date.UTC(year, month, 0);
  const before = (new Date(begin).getUTCDay() - first + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  const weeks: string[][] = [];
  for (let week = begin - before * DAY_MS; week <= end; week += DAYS_OF_WEEK * DAY_MS) {
    weeks.push(Array.from({ length: DAYS_OF_WEEK }, (_, day) => dayOf(week + day * DAY_MS)));
  }
  return weeks;
}

/** Return the day to which an arrow or page key moves; null for another key. */
export function dayAfterKey(day: string, key: string): string | null {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -DAYS_OF_WEEK);
    case "ArrowDown":
      return addDays(day, DAYS_OF_WEEK);
    case "PageUp":
    case "PageDown": {
      const { year, month } = addMonths(monthOf(day), key === "PageUp" ? -1 : 1);
      const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
      return dayOf(Date.UTC(year, month - 1, Math.min(last, Number(day.slice(8)))));
    }
    default:
      return null;
  }
}

/** Combine two clicks on days: one is each end. `done` contains both ends, the earlier one first. */
export function pick(
  first: string | null,
  day: string,
): { first: string; done: null } | { first: null; done: { start: string; end: string } } {
  if (first === null) return { first: day, done: null };
  const [start, end] = first <= day ? [first, day] : [day, first];
  return { first: null, done: { start, end } };
}

/** Formatters of instants for one time zone and one language. */
export interface TimeTexts {
  readonly zone: string;
  /** Common name of the time zone: Korean Standard Time. */
  readonly zoneName: string;
  /** 14:05 */
  time(instant: number): string;
  /** 14:05:09 */
  exactTime(instant: number): string;
  /** 21 Nov, 14:05 */
  dayTime(instant: number): string;
  /** 21 Nov, 14:05:09 */
  exactDayTime(instant: number): string;
  /** 2026-11-21 in every language, for addresses and date fields. */
  isoDay(instant: number): string;
}

const made = new Map<string, TimeTexts>();

/** Create a value on first use. Creating a formatter is slower than all of its calls. */
const once = <T>(make: () => T): (() => T) => {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
};

/** @param zone IANA name; an unknown one is replaced by Asia/Seoul */
export function createTimeTexts(language: string, zone: string): TimeTexts {
  const key = `${language} ${zone}`;
  const known = made.get(key);
  if (known) return known;
  const inZone = (locale: string, options: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    } catch {
      return new Intl.DateTimeFormat(locale, { ...options, timeZone: "Asia/Seoul" });
    }
  };
  const format = (options: Intl.DateTimeFormatOptions) =>
    once(() => inZone(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...options }));
  const time = format({});
  const exact = format({ second: "2-digit" });
  const day = format({ month: "short", day: "numeric" });
  const exactDay = format({ month: "short", day: "numeric", second: "2-digit" });
  const named = once(() => inZone(language, { timeZoneName: "longGeneric" }));
  const parts = once(() => inZone("en-US", { year: "numeric", month: "2-digit", day: "2-digit" }));
  const texts: TimeTexts = {
    get zone() {
      return time().resolvedOptions().timeZone;
    },
    get zoneName() {
      const found = named()
        .formatToParts(0)
        .find(({ type }) => type === "timeZoneName");
      return found?.value ?? texts.zone;
    },
    time: (instant) => time().format(instant),
    exactTime: (instant) => exact().format(instant),
    dayTime: (instant) => day().format(instant),
    exactDayTime: (instant) => exactDay().format(instant),
    // Not by the calendar of `shared`, whose time zones would be in the first load.
    isoDay(instant) {
      const part = Object.fromEntries(
        parts()
          .formatToParts(instant)
          .map(({ type, value }) => [type, value]),
      );
      return `${part.year}-${part.month}-${part.day}`;
    },
  };
  made.set(key, texts);
  return texts;
}

/** Return whole seconds until an instant, at least 0; null without one. `now` is ms on the server's clock. */
export function secondsLeft(until: string | null, now: number): number | null {
  if (until === null) return null;
  const end = Date.parse(until);
  return Number.isNaN(end) ? null : Math.max(0, Math.ceil((end - now) / 1000));
}

/** Format seconds as a clock: `0:05`, `12:40`, `1:02:03`. */
export function clockText(seconds: number): string {
  const two = (part: number) => `${part}`.padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(Math.floor(seconds) % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

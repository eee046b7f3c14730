/** Instants in words, on one time zone and in one language. */
export interface TimeWords {
  readonly zone: string;
  /** 14:05 */
  time(instant: number): string;
  /** 14:05:09 */
  exactTime(instant: number): string;
  /** 21 Nov, 14:05 */
  dayTime(instant: number): string;
  /** 21 Nov, 14:05:09 */
  exactDayTime(instant: number): string;
  /** 2026-11-21, whatever the language: for addresses and date fields. */
  isoDay(instant: number): string;
}

const made = new Map<string, TimeWords>();

/** What is made once, when it is first asked for: a formatter costs a phone more than all that it writes. */
const once = <T>(make: () => T): (() => T) => {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
};

/** @param zone IANA name; one that the browser does not know is read as Asia/Seoul */
export function createTimeWords(language: string, zone: string): TimeWords {
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
  const parts = once(() => inZone("en-US", { year: "numeric", month: "2-digit", day: "2-digit" }));
  const words: TimeWords = {
    get zone() {
      return time().resolvedOptions().timeZone;
    },
    time: (instant) => time().format(instant),
    exactTime: (instant) => exact().format(instant),
    dayTime: (instant) => day().format(instant),
    exactDayTime: (instant) => exactDay().format(instant),
    isoDay(instant) {
      const part = Object.fromEntries(
        parts()
          .formatToParts(instant)
          .map(({ type, value }) => [type, value]),
      );
      return `${part.year}-${part.month}-${part.day}`;
    },
  };
  made.set(key, words);
  return words;
}

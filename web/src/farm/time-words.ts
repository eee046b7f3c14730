/** Instants in words, on one time zone and in one language. Formatters are made once. */
export interface TimeWords {
  readonly zone: string;
  /** 14:05 */
  time(instant: number): string;
  /** 14:05:09 */
  exactTime(instant: number): string;
  /** 21 Nov, 14:05 */
  dayTime(instant: number): string;
}

const made = new Map<string, TimeWords>();

/** @param zone IANA name; one that the browser does not know is read as Asia/Seoul */
export function createTimeWords(language: string, zone: string): TimeWords {
  const key = `${language} ${zone}`;
  const known = made.get(key);
  if (known) return known;
  const format = (options: Intl.DateTimeFormatOptions) => {
    const base = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
    try {
      return new Intl.DateTimeFormat(language, { ...base, ...options, timeZone: zone });
    } catch {
      return new Intl.DateTimeFormat(language, { ...base, ...options, timeZone: "Asia/Seoul" });
    }
  };
  const time = format({});
  const exact = format({ second: "2-digit" });
  const day = format({ month: "short", day: "numeric" });
  const words: TimeWords = {
    zone: time.resolvedOptions().timeZone,
    time: (instant) => time.format(instant),
    exactTime: (instant) => exact.format(instant),
    dayTime: (instant) => day.format(instant),
  };
  made.set(key, words);
  return words;
}

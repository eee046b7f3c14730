/** The words for an age: which phrase, and its number. The phrase is translated by the client. */
export type RelativeTime = { unit: "now" } | { unit: "minutes" | "hours" | "days" | "years"; count: number };

const MINUTE = 60_000;

/**
 * Turns an age into words' parts: under a minute "just now", then minutes, hours, days (under 365), years.
 *
 * @param ageMs milliseconds; negative ages (clocks that differ) read as just now.
 */
export function relativeTime(ageMs: number): RelativeTime {
  const minutes = Math.floor(ageMs / MINUTE);
  if (minutes < 1) return { unit: "now" };
  if (minutes < 60) return { unit: "minutes", count: minutes };
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return { unit: "hours", count: hours };
  const days = Math.floor(hours / 24);
  if (days < 365) return { unit: "days", count: days };
  return { unit: "years", count: Math.floor(days / 365) };
}

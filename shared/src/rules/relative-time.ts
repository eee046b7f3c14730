/** An age as a phrase and its number. The client translates the phrase. */
export type RelativeTime = { unit: "now" } | { unit: "minutes" | "hours" | "days" | "years"; count: number };

const MINUTE = 60_000;

/**
 * Convert an age into a phrase and a number: under a minute "just now", then minutes, hours, days (under
 * 365), years.
 *
 * @param ageMs milliseconds; a negative age (clocks that differ) is "just now"
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

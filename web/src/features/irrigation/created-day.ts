/** The day of a farm API's time (`2026-11-21 14:04:03`, on its own clocks); null where there is none. */
export function createdDay(createdDate: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(createdDate ?? "")?.[0] ?? null;
}

import type { ListedWatering } from "@mulkko/shared/rest/waterings";

/** The end of a page: the start (ms UTC) and id of its last watering. */
export interface PageEnd {
  readonly start: number;
  readonly id: string;
}

const CURSOR = /^(\d{1,15})-(.{1,150})$/;

export const cursorOf = ({ start, id }: PageEnd): string => `${start}-${id}`;

/** Parse a cursor; null for an invalid one. */
export function readCursor(cursor: string): PageEnd | null {
  const [, start, id] = CURSOR.exec(cursor) ?? [];
  return id === undefined ? null : { start: Number(start), id };
}

const startOf = ({ start }: ListedWatering): number => Date.parse(start);

/** Sort newest first, and by id for equal starts, so that pages neither repeat nor skip a watering. */
export function newestFirst(waterings: Iterable<ListedWatering>): ListedWatering[] {
  return [...waterings].sort((a, b) => startOf(b) - startOf(a) || (a.id < b.id ? 1 : -1));
}

/** Return one page of a list sorted newest first, and the start of the next page; null after the last. */
export function pageOf(
  sorted: readonly ListedWatering[],
  after: PageEnd | null,
  limit: number,
): { page: ListedWatering[]; next: string | null } {
  const isAfter = (one: ListedWatering): boolean =>
    after === null || startOf(one) < after.start || (startOf(one) === after.start && one.id < after.id);
  const rest = sorted.filter(isAfter);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const next = last && rest.length > page.length ? cursorOf({ start: startOf(last), id: last.id }) : null;
  return { page, next };
}

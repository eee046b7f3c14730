import type { ListedWatering, WateringSum, Waterings, WateringsQuery } from "@mulkko/shared/rest/waterings";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { dateAt } from "@mulkko/shared/rules/calendar";
import type { FarmIndex } from "@mulkko/shared/rules/farm-of";
import { invalidField } from "../../http/relay-error.ts";
import type { ChannelWatering } from "../commands.ts";

/**
 * Return the sums of each farm on each day of the zone, newest day first. A watering counts for the day of
 * its start, and for each of its farms.
 *
 * @param now ms UTC, up to which a running watering counts
 */
export function wateringSums(
  waterings: Iterable<ListedWatering>,
  zone: ApiTimeZone,
  now: number,
): WateringSum[] {
  const sums = new Map<string, WateringSum>();
  for (const { start, end, plannedEnd, litres, farmIds } of waterings) {
    const date = dateAt(Date.parse(start), zone);
    // After the planned end the relay does not know whether water still runs.
    const planned = plannedEnd ? Math.min(now, Date.parse(plannedEnd)) : now;
    const to = end === null ? planned : Date.parse(end);
    const seconds = Math.max(0, Math.round((to - Date.parse(start)) / 1_000));
    for (const farmId of farmIds.length > 0 ? farmIds : [null]) {
      const key = JSON.stringify([date, farmId]);
      const sum = sums.get(key) ?? {
        date,
        farmId,
        count: 0,
        running: 0,
        seconds: 0,
        litres: null,
        measured: 0,
      };
      sum.count += 1;
      sum.seconds += seconds;
      if (end === null) sum.running += 1;
      if (litres !== null) {
        sum.measured += 1;
        sum.litres = Math.round(((sum.litres ?? 0) + litres) * 1_000) / 1_000;
      }
      sums.set(key, sum);
    }
  }
  return [...sums.values()].sort(
    (a, b) => b.date.localeCompare(a.date) || (a.farmId ?? "").localeCompare(b.farmId ?? ""),
  );
}

/** The end of a page: the start (ms UTC) and id of its last watering. */
interface PageEnd {
  readonly start: number;
  readonly id: string;
}

const CURSOR = /^(\d{1,15})-(.{1,150})$/;

const cursorOf = ({ start, id }: PageEnd): string => `${start}-${id}`;

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

/** For so long the store keeps waterings, and so many of an account does it give back. */
export const KEPT_MS = 7 * 86_400_000;
const KEPT_AT_MOST = 1_000;
const MINUTE_MS = 60_000;

/** @throws RelayError 422 naming the field */
function momentOf(field: string, text: string | undefined, otherwise: number): number {
  const at = text === undefined ? otherwise : Date.parse(text);
  if (Number.isNaN(at)) throw invalidField(field, "is not a time");
  return at;
}

/**
 * The answer to a question about waterings, out of all that is kept; `now` is the minute, ms UTC.
 *
 * @throws RelayError 422 naming the field
 */
export function listWaterings(
  query: WateringsQuery,
  account: {
    readonly waterings: readonly ChannelWatering[];
    readonly farms: FarmIndex;
    /** ms UTC; null where it is not known. */
    readonly watchedSince: number | null;
    readonly zone: ApiTimeZone;
    readonly now: number;
  },
): Waterings {
  const { farms, zone, now } = account;
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  if (query.cursor !== undefined && after === null) throw invalidField("cursor", "is none of ours");
  const starts = account.waterings.map(({ watering }) => Date.parse(watering.start));
  const keptFrom =
    starts.length < KEPT_AT_MOST ? now - KEPT_MS : Math.max(now - KEPT_MS, Math.min(...starts));
  const from = momentOf("from", query.from, keptFrom);
  const to = momentOf("to", query.to, now + MINUTE_MS);
  if (to < from) throw invalidField("to", "must not lie before from");

  const selected: ListedWatering[] = [];
  for (const { channelKey, watering } of account.waterings) {
    const start = Date.parse(watering.start);
    const farmIds = watering.farmIds ?? [...farms.of(channelKey)];
    if (start < from || start > to) continue;
    if (query.channel !== undefined && watering.channelId !== query.channel) continue;
    if (query.farm !== undefined && !farmIds.includes(query.farm)) continue;
    selected.push({ ...watering, farmIds });
  }
  const { page, next } = pageOf(newestFirst(selected), after, query.limit ?? 50);
  const sums = wateringSums(selected, zone, now);
  return {
    timezone: zone.zone,
    today: dateAt(now, zone),
    keptFrom: new Date(keptFrom).toISOString(),
    knownFrom: new Date(Math.max(keptFrom, account.watchedSince ?? now)).toISOString(),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    waterings: page,
    next,
    sums: query.farm === undefined ? sums : sums.filter(({ farmId }) => farmId === query.farm),
  };
}

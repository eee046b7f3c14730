import type { ListedWatering, Waterings, WateringsQuery } from "@mulkko/shared/rest/waterings";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { FarmIndex } from "@mulkko/shared/rules/farm-of";
import { RelayError } from "../../http/relay-error.ts";
import type { ChannelWatering } from "../commands.ts";
import { newestFirst, pageOf, readCursor } from "./watering-pages.ts";
import { dateIn, wateringSums } from "./watering-sums.ts";

/** For so long the store keeps waterings, and so many of an account does it give back. */
export const KEPT_MS = 7 * 86_400_000;
const KEPT_AT_MOST = 1_000;
const MINUTE_MS = 60_000;

const refuse = (field: string, defaultMessage: string): RelayError =>
  new RelayError(422, "validation", `${field} ${defaultMessage}`, [{ field, defaultMessage }]);

/** @throws RelayError 422 naming the field */
function momentOf(field: string, text: string | undefined, otherwise: number): number {
  const at = text === undefined ? otherwise : Date.parse(text);
  if (Number.isNaN(at)) throw refuse(field, "is not a time");
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
  if (query.cursor !== undefined && after === null) throw refuse("cursor", "is none of ours");
  const starts = account.waterings.map(({ watering }) => Date.parse(watering.start));
  const keptFrom =
    starts.length < KEPT_AT_MOST ? now - KEPT_MS : Math.max(now - KEPT_MS, Math.min(...starts));
  const from = momentOf("from", query.from, keptFrom);
  const to = momentOf("to", query.to, now + MINUTE_MS);
  if (to < from) throw refuse("to", "must not lie before from");

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
    today: dateIn(zone, now),
    keptFrom: new Date(keptFrom).toISOString(),
    knownFrom: new Date(Math.max(keptFrom, account.watchedSince ?? now)).toISOString(),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    waterings: page,
    next,
    sums: query.farm === undefined ? sums : sums.filter(({ farmId }) => farmId === query.farm),
  };
}

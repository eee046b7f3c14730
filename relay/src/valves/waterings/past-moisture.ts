import { measurementsOf } from "@mulkko/shared/entities/log-entry";
import { ChannelValue } from "@mulkko/shared/live/devices";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { AccountValues } from "../../account/farm-index.ts";
import type { AccountApi } from "../../upstream/account-api.ts";
import { apiInstant } from "../../upstream/api-instant.ts";

const MINUTE_MS = 60_000;

const Place = Type.Pick(ChannelValue, ["controllerId", "number", "sensorIds"]);

/** A row of a log with a time and perhaps a moisture. */
type Row = Readonly<Record<string, unknown>> & { readonly createdDate: string };

/**
 * Read a channel's moisture at a past moment from the logs: the mean of its sensors' last readings in the
 * hour before. A COT sensor's channel has a log of its own. The result is null without a reading.
 */
export function createPastMoisture(
  api: Pick<AccountApi, "log" | "cotLog" | "zone">,
  state: Pick<AccountValues, "get">,
): (channelKey: string, at: number) => Promise<number | null> {
  const { zone } = api;
  const newestOf = (rows: readonly Row[], at: number): number | null => {
    let newest: { at: number; moisture: number } | null = null;
    for (const row of rows) {
      const readAt = apiInstant(row.createdDate, zone);
      const { moisture } = measurementsOf(row);
      if (readAt === null || readAt > at || readAt <= at - MOISTURE_FRESH_MS) continue;
      if (typeof moisture === "number" && (newest === null || readAt >= newest.at)) {
        newest = { at: readAt, moisture };
      }
    }
    return newest?.moisture ?? null;
  };
  return async (channelKey, at) => {
    const place = parse(Place, state.get(channelKey));
    if (!place.ok) return null;
    const { controllerId, number, sensorIds } = place.value;
    const minute = (instant: number): string => zone.toApi(instant).slice(0, 16);
    const [start, end] = [minute(at - MOISTURE_FRESH_MS), minute(at + MINUTE_MS)];
    const asking = { urgent: false };
    const key = parseDeviceKey(channelKey);
    if (key?.kind === "channel" && key.number !== undefined) {
      return newestOf(await api.cotLog(controllerId, number, start, end, asking), at);
    }
    const newest = await Promise.all(
      sensorIds.map(async (id) => newestOf(await api.log(id, start, end, asking), at)),
    );
    const known = newest.filter((moisture) => moisture !== null);
    return known.length === 0 ? null : known.reduce((sum, moisture) => sum + moisture, 0) / known.length;
  };
}

import { measurementsOf } from "@mulkko/shared/entities/log-entry";
import { ChannelValue } from "@mulkko/shared/live/devices";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import type { MeterReading } from "@mulkko/shared/rules/meter";
import { seriesTimes, wallRange } from "@mulkko/shared/rules/zoneless-time";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { AccountApi } from "../../access/account-api.ts";
import type { AccountValues } from "../../account/farm-index.ts";

const MINUTE_MS = 60_000;

const Place = Type.Pick(ChannelValue, ["controllerId", "number", "sensorIds"]);

/** A row of a log with a time and perhaps a moisture. */
type Row = Readonly<Record<string, unknown>> & { readonly createdDate: string };

/** Read a flow meter's totals in a range (ms UTC) from its log. */
export function createMeterLog(
  api: Pick<AccountApi, "log" | "clock">,
): (sensorId: string, from: number, to: number) => Promise<MeterReading[]> {
  const { zone, now } = api.clock;
  return async (sensorId, from, to) => {
    const { start, end } = wallRange(from, to + MINUTE_MS, zone);
    const rows = await api.log(sensorId, start, end, { urgent: false });
    const texts = rows.map(({ createdDate }) => createdDate);
    const times = seriesTimes(texts, zone, now());
    return rows.flatMap((row, index) => {
      const at = times[index] ?? null;
      const { flowmeter: litres = null } = measurementsOf(row);
      return at === null || litres === null ? [] : [{ at, litres }];
    });
  };
}

/**
 * Read a channel's moisture at a past moment from the logs: the mean of its sensors' last readings in the
 * hour before. A COT sensor's channel has a log of its own. The result is null without a reading.
 */
export function createPastMoisture(
  api: Pick<AccountApi, "log" | "cotLog" | "clock">,
  state: Pick<AccountValues, "get">,
): (channelKey: string, at: number) => Promise<number | null> {
  const { zone, now } = api.clock;
  const newestOf = (rows: readonly Row[], at: number): number | null => {
    let newest: { at: number; moisture: number } | null = null;
    const times = seriesTimes(
      rows.map(({ createdDate }) => createdDate),
      zone,
      now(),
    );
    for (const [index, row] of rows.entries()) {
      const readAt = times[index] ?? null;
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
    const { start, end } = wallRange(at - MOISTURE_FRESH_MS, at + MINUTE_MS, zone);
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

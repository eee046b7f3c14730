import type { Database } from "../database/database.ts";
import { readFields } from "../decode/fields.ts";
import type { Reading } from "../history/reading.ts";
import { storeReadings } from "../ingest/reading-store.ts";
import { storeReports } from "../valves/channel-store.ts";
import { DEMO_DEVICES, type DemoDevice } from "./farm.ts";
import type { Replay } from "./replay.ts";
import { ROW_MS } from "./slice.ts";
import { syntheticFields } from "./synthetic.ts";

const HISTORY_MS = 7 * 86_400_000;
/** A shorter silence stays a gap, as on a real farm. */
const SHORTEST_GAP_MS = 15 * 60_000;
const BATCH = 2_000;

async function inBatches<T>(items: Iterable<T>, write: (batch: T[]) => Promise<unknown>): Promise<number> {
  let batch: T[] = [];
  let count = 0;
  for (const item of items) {
    batch.push(item);
    count += 1;
    if (batch.length < BATCH) continue;
    await write(batch);
    batch = [];
  }
  if (batch.length > 0) await write(batch);
  return count;
}

function* readingsOf(device: DemoDevice, replay: Replay, from: number, to: number): Generator<Reading> {
  for (const { at, fields, fwversion, rssi } of replay.historyRows(device, from, to)) {
    const read = readFields(device.deviceType, fields);
    if (Object.keys(read.fields).length === 0) continue;
    yield { sensorId: device.id, at, receivedAt: at, fwversion, rssi, fields: read.fields };
  }
}

function* reportsOf(device: DemoDevice, from: number, to: number) {
  for (let at = Math.ceil(from / ROW_MS) * ROW_MS; at < to; at += ROW_MS) {
    for (let number = 1; number <= device.chNums; number += 1) {
      const { moisture = null } = syntheticFields(device.deviceType, device.serial * 10 + number, at);
      yield {
        deviceId: device.id,
        number,
        at,
        heardAt: at,
        isLive: true,
        arrival: at * 1_000 + number,
        clockWrongSince: null,
        onoff: 2 as const,
        moisture,
        runUntil: null,
        commandId: null,
        fwversion: device.fwversion,
        rssi: null,
        modes: {},
      };
    }
  }
}

/**
 * Insert the demo devices' readings of the last seven days, or since their last reading, with the same checks
 * as any reading.
 *
 * @param now ms since 1970 UTC
 * @returns number of rows
 */
export async function insertDemoHistory(database: Database, replay: Replay, now: number): Promise<number> {
  const known = await database.query<{ sensor_id: string; at: number }>("select sensor_id, at from latest");
  const lastOf = new Map(known.map(({ sensor_id, at }) => [sensor_id, at]));
  let count = 0;
  for (const device of DEMO_DEVICES) {
    const last = lastOf.get(device.id) ?? 0;
    if (now - last < SHORTEST_GAP_MS) continue;
    const from = Math.max(now - HISTORY_MS, last + 1);
    count +=
      device.source.kind === "valves"
        ? await inBatches(reportsOf(device, from, now), (batch) => storeReports(database, batch))
        : await inBatches(readingsOf(device, replay, from, now), (batch) => storeReadings(database, batch));
  }
  return count;
}

import type { ValveCode } from "@mulkko/shared/rules/valve";
import type { Database, Queryable } from "../database/database.ts";
import { modesShown } from "../modules/watering/report.ts";
import { readSettings } from "../modules/watering/repository.ts";
import type { ChannelReport, ModeReport } from "./decode/channel-state.ts";

/** A channel's report with the channel that it is of. */
export interface HeardReport extends ChannelReport {
  readonly deviceId: string;
  readonly number: number;
  /** ms since 1970 UTC */
  readonly heardAt: number;
}

/** A channel's state as it stands in the database. Times are milliseconds since 1970 UTC. */
export interface StoredChannel {
  readonly deviceId: string;
  readonly number: number;
  readonly onoff: ValveCode;
  /** %: the device's own, else the mean of the channel's sensors; null where nothing fresh is known. */
  readonly moisture: number | null;
  readonly runUntil: number | null;
  readonly commandId: string | null;
  readonly fwversion: string | null;
  readonly rssi: number | null;
  readonly modes: ModeReport;
  readonly at: number;
  readonly heardAt: number;
}

/** Readings older than this say nothing about a channel's moisture any more. */
export const MOISTURE_FRESH_MS = 60 * 60_000;

// The same state again (a retained message, heard once more) changes nothing: its time is the stored one.
const STORE = `
  with incoming as materialized (
    select row.*, coalesce(row.moisture, mean.moisture) as known_moisture
    from json_to_recordset($1::json) as row (
      device_id uuid, number smallint, onoff smallint, moisture double precision, run_until timestamptz,
      command_id text, fwversion text, rssi double precision, report jsonb, at timestamptz, heard_at timestamptz
    )
    join device on device.id = device_id
    left join lateral (
      select avg(latest.moisture) as moisture
      from channel
      join channel_sensor on channel_sensor.channel_id = channel.id
      join latest on latest.sensor_id = channel_sensor.sensor_id
      where channel.controller_id = row.device_id and channel.number = row.number and latest.received_at >= $2
    ) mean on true
  ),
  logged as (
    insert into cot_log (device_id, number, at, valve, moisture)
    select device_id, number, at, onoff, known_moisture from incoming where onoff in (1, 2)
    on conflict do nothing
  ),
  confirmed as (
    update command_log set confirmed_at = incoming.at from incoming
    where command_log.command_id = incoming.command_id and command_log.device_id = incoming.device_id
      and command_log.number = incoming.number and confirmed_at is null
  ),
  heard as (
    insert into device_link (device_id, heard_at) select device_id, max(heard_at) from incoming group by device_id
    on conflict (device_id) do update set heard_at = greatest(device_link.heard_at, excluded.heard_at)
  ),
  shown as (
    insert into latest (sensor_id, at, received_at, fwversion, rssi, valve, moisture)
    select distinct on (device_id) device_id, at, heard_at, fwversion, rssi, nullif(onoff, 0), known_moisture
    from incoming join sensor on sensor.id = device_id order by device_id, at desc, number
    on conflict (sensor_id) do update set at = excluded.at, received_at = excluded.received_at,
      fwversion = excluded.fwversion, rssi = excluded.rssi, valve = excluded.valve, moisture = excluded.moisture
    where excluded.at >= latest.at
  )
  insert into channel_state
    (device_id, number, onoff, moisture, run_until, command_id, fwversion, rssi, report, at, heard_at)
  select distinct on (device_id, number)
    device_id, number, onoff, moisture, run_until, command_id, fwversion, rssi, report, at, heard_at
  from incoming order by device_id, number, at desc
  on conflict (device_id, number) do update set onoff = excluded.onoff, moisture = excluded.moisture,
    run_until = excluded.run_until, command_id = excluded.command_id, fwversion = excluded.fwversion,
    rssi = excluded.rssi, report = excluded.report, at = excluded.at, heard_at = excluded.heard_at
  where excluded.at > channel_state.at
  returning device_id, number`;

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

/**
 * Stores reports in one statement: the state of each channel where the report is newer, a row of the COT log for
 * each, and that the command which it names was obeyed.
 *
 * @returns the channels whose state is newer now
 */
export async function storeReports(
  database: Database,
  reports: readonly HeardReport[],
): Promise<readonly { deviceId: string; number: number }[]> {
  const rows = reports.map((report) => ({
    device_id: report.deviceId,
    number: report.number,
    onoff: report.onoff,
    moisture: report.moisture,
    run_until: iso(report.runUntil),
    command_id: report.commandId,
    fwversion: report.fwversion,
    rssi: report.rssi,
    report: report.modes,
    at: iso(report.at),
    heard_at: iso(report.heardAt),
  }));
  const newest = Math.max(...reports.map((report) => report.heardAt));
  const changed = await database.query<{ device_id: string; number: number }>(
    STORE,
    [JSON.stringify(rows), new Date(newest - MOISTURE_FRESH_MS)],
    "urgent",
  );
  return changed.map(({ device_id, number }) => ({ deviceId: device_id, number }));
}

interface ChannelRow {
  device_id: string;
  number: number;
  onoff: ValveCode;
  moisture: number | null;
  run_until: number | null;
  command_id: string | null;
  fwversion: string | null;
  rssi: number | null;
  report: ModeReport;
  at: number;
  heard_at: number;
}

const READ = `
  select state.device_id, state.number, onoff, run_until, command_id, fwversion, rssi, report, at, heard_at,
    coalesce(state.moisture, mean.moisture) as moisture
  from channel_state state
  left join lateral (
    select avg(latest.moisture) as moisture
    from channel
    join channel_sensor on channel_sensor.channel_id = channel.id
    join latest on latest.sensor_id = channel_sensor.sensor_id
    where channel.controller_id = state.device_id and channel.number = state.number and latest.received_at >= $2
  ) mean on true
  where state.device_id = $1 order by state.number`;

/** The stored states of a device's channels, with the modes as they are shown. @param now ms since 1970 UTC */
export async function readChannels(
  database: Queryable,
  deviceId: string,
  now: number,
): Promise<StoredChannel[]> {
  const rows = await database.query<ChannelRow>(READ, [deviceId, new Date(now - MOISTURE_FRESH_MS)]);
  const settings = new Map((await readSettings(database, deviceId)).map((one) => [one.number, one]));
  return rows.map((row) => ({
    deviceId: row.device_id,
    number: row.number,
    onoff: row.onoff,
    moisture: row.moisture,
    runUntil: row.run_until,
    commandId: row.command_id,
    fwversion: row.fwversion,
    rssi: row.rssi,
    modes: modesShown(row.report, settings.get(row.number)),
    at: row.at,
    heardAt: row.heard_at,
  }));
}

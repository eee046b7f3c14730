import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import type { ValveCode } from "@mulkko/shared/rules/valve";
import type { Database, Queryable } from "../database/database.ts";
import type { ModeReport } from "../decode/channel-state.ts";
import type { ReceivedReport } from "../devices/received.ts";
import { modesShown } from "./modes/report.ts";
import { readSettings } from "./modes/repository.ts";

/** A channel's stored state. Times are ms since 1970 UTC. */
export interface StoredChannel {
  readonly deviceId: string;
  readonly number: number;
  readonly onoff: ValveCode;
  /**
   * %: the device's own, otherwise the mean of the channel's sensors; null where no recent value is known.
   */
  readonly moisture: number | null;
  readonly runUntil: number | null;
  readonly commandId: string | null;
  readonly fwversion: string | null;
  readonly rssi: number | null;
  readonly modes: ModeReport;
  /** Time at which the state counts; null: a retained report without a time showed it (ORD-4). */
  readonly at: number | null;
  /** Time of the device's own last contact; null: none. */
  readonly heardAt: number | null;
  /** Number in the order of arrival (ORD-1). */
  readonly arrival: number;
  /** Since when the device's clock has been wrong; null: it is right. */
  readonly clockWrongSince: number | null;
}

/**
 * SQL: time from which a sensor's moisture is as old as it is, the older of arrival and measurement (AGE-1). A
 * newer reading of other fields does not renew it.
 */
export const MOISTURE_AT = `least(latest.received_at,
  coalesce(to_timestamp((latest.field_at->>'moisture')::float8 / 1000), latest.at))`;

// Reports are in order of arrival, and the last one of a channel counts, whatever its time (ORD-1).
const STORE = `
  with incoming as materialized (
    select row.*, coalesce(row.moisture, mean.moisture) as known_moisture,
      case when row.is_live then coalesce(row.heard_at, known.heard_at)
        else greatest(row.heard_at, known.heard_at) end as last_heard_at
    from json_to_recordset($1::json) as row (
      device_id uuid, number smallint, onoff smallint, moisture double precision, run_until timestamptz,
      command_id text, fwversion text, rssi double precision, report jsonb, at timestamptz, heard_at timestamptz,
      is_live boolean, arrival bigint, clock_wrong_since timestamptz, valve smallint, valve_at timestamptz
    )
    join device on device.id = row.device_id
    left join channel_state known on known.device_id = row.device_id and known.number = row.number
    left join lateral (
      select avg(latest.moisture) as moisture
      from channel
      join channel_sensor on channel_sensor.channel_id = channel.id
      join latest on latest.sensor_id = channel_sensor.sensor_id
      where channel.controller_id = row.device_id and channel.number = row.number and ${MOISTURE_AT} >= $2
        and row.heard_at is not null
    ) mean on true
  ),
  logged as (
    insert into cot_log (device_id, number, at, valve, moisture, clock_wrong_since)
    select device_id, number, valve_at, valve, known_moisture, clock_wrong_since from incoming
    where valve in (1, 2) and valve_at is not null
    on conflict do nothing
  ),
  confirmed as (
    update command_log set confirmed_at = incoming.at from incoming
    where command_log.command_id = incoming.command_id and command_log.device_id = incoming.device_id
      and command_log.number = incoming.number and confirmed_at is null and incoming.at is not null
  ),
  links as (
    insert into device_link (device_id, heard_at, received_arrival)
    select distinct on (device_id) device_id, heard_at, case when is_live then arrival end from incoming
    where heard_at is not null order by device_id, is_live desc, arrival desc
    on conflict (device_id) do update set
      heard_at = case when excluded.received_arrival is null then greatest(device_link.heard_at, excluded.heard_at)
        else excluded.heard_at end,
      received_arrival = coalesce(excluded.received_arrival, device_link.received_arrival)
  ),
  shown as (
    insert into latest
      (sensor_id, at, received_at, arrival, clock_wrong_since, fwversion, rssi, valve, moisture, field_at)
    select distinct on (device_id) device_id, at, coalesce(last_heard_at, at), arrival, clock_wrong_since,
      fwversion, rssi, nullif(onoff, 0), known_moisture,
      jsonb_build_object('valve', extract(epoch from at) * 1000, 'moisture', extract(epoch from at) * 1000)
    from incoming join sensor on sensor.id = device_id where at is not null order by device_id, arrival desc, number
    on conflict (sensor_id) do update set at = excluded.at, received_at = excluded.received_at,
      arrival = excluded.arrival, clock_wrong_since = excluded.clock_wrong_since,
      fwversion = excluded.fwversion, rssi = excluded.rssi, valve = excluded.valve, moisture = excluded.moisture,
      field_at = latest.field_at || excluded.field_at
  )
  insert into channel_state
    (device_id, number, onoff, moisture, run_until, command_id, fwversion, rssi, report, at, heard_at, arrival,
     clock_wrong_since)
  select distinct on (device_id, number)
    device_id, number, onoff, moisture, run_until, command_id, fwversion, rssi, report, at, last_heard_at, arrival,
    clock_wrong_since
  from incoming order by device_id, number, arrival desc
  on conflict (device_id, number) do update set onoff = excluded.onoff, moisture = excluded.moisture,
    run_until = excluded.run_until, command_id = excluded.command_id, fwversion = excluded.fwversion,
    rssi = excluded.rssi, report = excluded.report, at = excluded.at, heard_at = excluded.heard_at,
    arrival = excluded.arrival, clock_wrong_since = excluded.clock_wrong_since
  returning device_id, number`;

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();

/**
 * Store reports, in order of arrival, in one statement: each channel's state, a row of the COT log, and the
 * confirmation of the named command.
 *
 * @returns the stored channels
 */
export async function storeReports(
  database: Database,
  reports: readonly ReceivedReport[],
): Promise<readonly { deviceId: string; number: number }[]> {
  // A report that is no contact keeps the contact of an earlier one of the same batch.
  const contacts = new Map<string, number>();
  const contactOf = ({ deviceId, number, heardAt, isLive }: ReceivedReport): number | null => {
    const key = `${deviceId} ${number}`;
    const before = contacts.get(key);
    const contact = isLive || before === undefined ? heardAt : Math.max(before, heardAt ?? before);
    if (contact !== null) contacts.set(key, contact);
    return contact;
  };
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
    heard_at: iso(contactOf(report)),
    is_live: report.isLive,
    arrival: report.arrival,
    clock_wrong_since: iso(report.clockWrongSince),
    valve: report.logged?.onoff ?? report.onoff,
    valve_at: iso(report.logged?.at ?? report.at),
  }));
  const newest = Math.max(...reports.map(({ heardAt, at }) => heardAt ?? at ?? 0));
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
  at: number | null;
  heard_at: number | null;
  arrival: number;
  clock_wrong_since: number | null;
}

const READ = `
  select state.device_id, state.number, onoff, run_until, command_id, fwversion, rssi, report, at, heard_at, state.arrival,
    state.clock_wrong_since, coalesce(state.moisture, mean.moisture) as moisture
  from channel_state state
  left join lateral (
    select avg(latest.moisture) as moisture
    from channel
    join channel_sensor on channel_sensor.channel_id = channel.id
    join latest on latest.sensor_id = channel_sensor.sensor_id
    where channel.controller_id = state.device_id and channel.number = state.number and ${MOISTURE_AT} >= $2
  ) mean on true
  where state.device_id = $1 order by state.number`;

/**
 * Return the stored states of a device's channels, with their effective modes. @param now ms since 1970 UTC
 */
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
    arrival: row.arrival,
    clockWrongSince: row.clock_wrong_since,
  }));
}

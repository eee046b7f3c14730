import type { ActiveMode } from "@mulkko/shared/rules/valve";
import type { Queryable } from "../../database/database.ts";
import { notFound } from "../../http/api-error.ts";
import type { Automatic, Period, Reservation } from "./rules.ts";

/** A mode with settings. */
export type Mode = Exclude<ActiveMode, "none">;

/** Stored watering settings of a channel. */
export interface ChannelSettings {
  readonly channelId: number;
  readonly number: number;
  /** The active mode. */
  readonly mode: ActiveMode;
  /** Number of activations of a mode. */
  readonly revision: number;
  /** IANA name of the account's zone, which applies to `onTime`. */
  readonly timezone: string;
  readonly automatic: Automatic | null;
  readonly reservation: Reservation | null;
  readonly period: Period | null;
}

interface SettingsRow {
  channel_id: number;
  number: number;
  mode: ActiveMode;
  mode_revision: number;
  timezone: string;
  automatic_id: number | null;
  lower_bound: number | null;
  upper_bound: number | null;
  automatic_duration: number | null;
  reservation_id: number | null;
  on_time: string | null;
  reservation_duration: number | null;
  reservation_repeat: boolean | null;
  period_id: number | null;
  watering_interval: number | null;
  period_duration: number | null;
  period_repeat: boolean | null;
}

const SETTINGS = `
  select channel.id as channel_id, channel.number, channel.mode, channel.mode_revision, account.timezone,
    automatic.id as automatic_id, lower_bound, upper_bound, automatic.watering_duration as automatic_duration,
    reservation.id as reservation_id, on_time, reservation.watering_duration as reservation_duration,
    reservation.repeat as reservation_repeat,
    period.id as period_id, watering_interval, period.watering_duration as period_duration,
    period.repeat as period_repeat
  from channel
  join device on device.id = channel.controller_id join account on account.id = device.account_id
  left join watering_trigger automatic on automatic.channel_id = channel.id
  left join watering_reservation reservation on reservation.channel_id = channel.id
  left join watering_period period on period.channel_id = channel.id
  where channel.controller_id = $1 order by channel.number`;

/**
 * Return the stored settings of a device's channels; a channel of a COT sensor is included once a mode was
 * set.
 */
export async function readSettings(database: Queryable, deviceId: string): Promise<ChannelSettings[]> {
  const rows = await database.query<SettingsRow>(SETTINGS, [deviceId]);
  return rows.map((row) => ({
    channelId: row.channel_id,
    number: row.number,
    mode: row.mode,
    revision: row.mode_revision,
    timezone: row.timezone,
    automatic:
      row.automatic_id === null
        ? null
        : {
            lowerBound: row.lower_bound,
            upperBound: row.upper_bound,
            wateringDuration: row.automatic_duration,
          },
    reservation:
      row.reservation_id === null
        ? null
        : {
            wateringDuration: row.reservation_duration,
            onTime: row.on_time,
            repeat: row.reservation_repeat === true,
          },
    period:
      row.period_id === null
        ? null
        : {
            wateringDuration: row.period_duration,
            wateringInterval: row.watering_interval,
            repeat: row.period_repeat === true,
          },
  }));
}

/**
 * Return the row of a device's channel and lock it until the transaction ends; create it for a COT sensor
 * without one.
 */
export async function lockChannel(tx: Queryable, deviceId: string, number: number): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into channel (controller_id, number) values ($1, $2)
     on conflict (controller_id, number) do update set number = excluded.number returning id`,
    [deviceId, number],
  );
  if (!row) throw notFound("channel");
  return row.id;
}

export async function saveAutomatic(tx: Queryable, channelId: number, setting: Automatic): Promise<void> {
  await tx.query(
    `insert into watering_trigger (channel_id, lower_bound, upper_bound, watering_duration)
     values ($1, $2, $3, $4) on conflict (channel_id) do update set lower_bound = excluded.lower_bound,
       upper_bound = excluded.upper_bound, watering_duration = excluded.watering_duration`,
    [channelId, setting.lowerBound, setting.upperBound, setting.wateringDuration],
  );
}

export async function saveReservation(tx: Queryable, channelId: number, setting: Reservation): Promise<void> {
  await tx.query(
    `insert into watering_reservation (channel_id, watering_duration, on_time, repeat)
     values ($1, $2, $3, $4) on conflict (channel_id) do update set
       watering_duration = excluded.watering_duration, on_time = excluded.on_time, repeat = excluded.repeat`,
    [channelId, setting.wateringDuration, setting.onTime, setting.repeat],
  );
}

export async function savePeriod(tx: Queryable, channelId: number, setting: Period): Promise<void> {
  await tx.query(
    `insert into watering_period (channel_id, watering_duration, watering_interval, repeat)
     values ($1, $2, $3, $4) on conflict (channel_id) do update set
       watering_duration = excluded.watering_duration, watering_interval = excluded.watering_interval,
       repeat = excluded.repeat`,
    [channelId, setting.wateringDuration, setting.wateringInterval, setting.repeat],
  );
}

/** Return the mode in charge of a channel. */
export async function modeOf(tx: Queryable, channelId: number): Promise<ActiveMode> {
  const [row] = await tx.query<{ mode: ActiveMode }>("select mode from channel where id = $1", [channelId]);
  if (!row) throw notFound("channel");
  return row.mode;
}

/** Activate a mode. This deactivates the others, as there is one column. */
export async function setMode(tx: Queryable, channelId: number, mode: ActiveMode): Promise<void> {
  await tx.query("update channel set mode = $2, mode_revision = mode_revision + 1 where id = $1", [
    channelId,
    mode,
  ]);
}

const TABLES: Readonly<Record<Mode, string>> = {
  automatic: "watering_trigger",
  reservation: "watering_reservation",
  period: "watering_period",
};

/** Delete a mode's setting; if it was active, no mode is active. */
export async function resetMode(tx: Queryable, channelId: number, mode: Mode): Promise<void> {
  await tx.query(`delete from ${TABLES[mode]} where channel_id = $1`, [channelId]);
  await tx.query(
    "update channel set mode = 'none', mode_revision = mode_revision + 1 where id = $1 and mode = $2",
    [channelId, mode],
  );
}

/** Return true if a channel has a setting of a mode: one at all, or the one with `id`. */
export async function hasSetting(
  tx: Queryable,
  channelId: number,
  mode: Mode,
  id: number | null = null,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from ${TABLES[mode]} where channel_id = $1 and ($2::int is null or id = $2)`,
    [channelId, id],
  );
  return rows.length > 0;
}

/** A mode that a device reports as finished: its flag was cleared. */
export interface FinishedMode {
  readonly deviceId: string;
  readonly number: number;
  /** The activation that it refers to. */
  readonly revision: number;
}

/**
 * Deactivate modes that their devices have finished, such as a reservation without repeat after its run. A
 * mode activated again since stays active.
 *
 * @returns the changed channels
 */
export async function finishModes(
  database: Queryable,
  finished: readonly FinishedMode[],
): Promise<readonly { channelId: number; deviceId: string }[]> {
  if (finished.length === 0) return [];
  const rows = await database.query<{ id: number; controller_id: string }>(
    `update channel set mode = 'none'
     from json_to_recordset($1::json) as done (device_id uuid, number smallint, revision int)
     where channel.controller_id = done.device_id and channel.number = done.number
       and channel.mode_revision = done.revision and channel.mode <> 'none'
     returning channel.id, channel.controller_id`,
    [JSON.stringify(finished.map(({ deviceId, ...one }) => ({ device_id: deviceId, ...one })))],
  );
  return rows.map((row) => ({ channelId: row.id, deviceId: row.controller_id }));
}

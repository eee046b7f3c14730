import { takesSensorType } from "@mulkko/shared/catalogue/controller-types";
import type { ChannelBody } from "@mulkko/shared/rest/controller";
import { MAX_SENSORS_PER_CHANNEL } from "@mulkko/shared/rules/valve";
import type { Queryable } from "../database/database.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { uuidOf } from "../http/params.ts";

/** The controller of the channels. */
interface Owner {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
}

/** A channel with its requested sensors; undefined: unchanged. */
export interface ChannelPlan {
  readonly number: number;
  readonly sensorIds: readonly string[] | undefined;
}

const fault = (message: string): ApiError => new ApiError(422, "validation", message, { field: "channels" });

/**
 * Parse the channels of a body.
 *
 * @throws ApiError 422 where a channel is listed twice, or has more than three sensors; 404 for an invalid id
 */
export function channelPlansOf(channels: readonly ChannelBody[]): ChannelPlan[] {
  const plans = channels.map(({ channelNumber, sensorIds }) => ({
    number: channelNumber,
    sensorIds: sensorIds && [...new Set(sensorIds.map((id) => uuidOf(id.trim(), "sensor")))],
  }));
  if (new Set(plans.map(({ number }) => number)).size < plans.length) {
    throw fault("a channel is listed twice");
  }
  if (plans.some(({ sensorIds = [] }) => sensorIds.length > MAX_SENSORS_PER_CHANNEL)) {
    throw fault(`sensors per channel max ${MAX_SENSORS_PER_CHANNEL}`);
  }
  return plans;
}

async function mustFit(tx: Queryable, owner: Owner, sensorIds: readonly string[]): Promise<void> {
  if (sensorIds.length === 0) return;
  const sensors = await tx.query<{ device_type: string }>(
    `select device_type from sensor join device using (id)
     where sensor.id = any($1::uuid[]) and device.account_id = $2`,
    [sensorIds, owner.accountId],
  );
  if (sensors.length < sensorIds.length) throw notFound("sensor");
  for (const { device_type: type } of sensors) {
    if (!takesSensorType(owner.type, type))
      throw fault(`controllers of type ${owner.type} do not support sensors of type ${type}`);
  }
}

/**
 * Write the planned channels; others stay unchanged. Runs in a transaction that locks the controller's row.
 *
 * @throws ApiError 404 for a sensor of another account, 422 for a kind that the controller does not accept
 */
export async function writeChannels(
  tx: Queryable,
  owner: Owner,
  plans: readonly ChannelPlan[],
): Promise<void> {
  for (const { number, sensorIds } of plans) {
    const [channel] = await tx.query<{ id: number }>(
      `insert into channel (controller_id, number) values ($1, $2)
       on conflict (controller_id, number) do update set number = excluded.number returning id`,
      [owner.id, number],
    );
    if (!channel || !sensorIds) continue;
    const members = await tx.query<{ sensor_id: string }>(
      "select sensor_id from channel_sensor where channel_id = $1",
      [channel.id],
    );
    const present = new Set(members.map(({ sensor_id }) => sensor_id));
    // Existing sensors may stay, whatever the rules were then.
    const added = sensorIds.filter((id) => !present.has(id));
    await mustFit(tx, owner, added);
    await tx.query("delete from channel_sensor where channel_id = $1 and sensor_id <> all($2::uuid[])", [
      channel.id,
      sensorIds,
    ]);
    await tx.query(
      "insert into channel_sensor (channel_id, sensor_id) select $1, sensor from unnest($2::uuid[]) sensor",
      [channel.id, added],
    );
  }
}

/** @throws ApiError 422 where the new type of a controller does not accept one of its sensors */
export async function mustTakeItsSensors(tx: Queryable, owner: Owner): Promise<void> {
  const rows = await tx.query<{ device_type: string }>(
    `select distinct device_type from channel join channel_sensor on channel_sensor.channel_id = channel.id
     join sensor on sensor.id = sensor_id where controller_id = $1`,
    [owner.id],
  );
  for (const { device_type: type } of rows) {
    if (takesSensorType(owner.type, type)) continue;
    throw new ApiError(
      422,
      "validation",
      `controllers of type ${owner.type} do not support sensors of type ${type}`,
      {
        field: "type",
      },
    );
  }
}

/** Delete a channel with its settings and its last state; its valve's history stays in the log. */
export async function deleteChannel(
  database: Queryable,
  channel: { readonly id: number; readonly controller_id: string; readonly number: number },
): Promise<void> {
  await database.query(
    `with gone as (delete from channel where id = $1)
     delete from channel_state where device_id = $2 and number = $3`,
    [channel.id, channel.controller_id, channel.number],
  );
}

/**
 * Remove a sensor from a channel. @param sensor its id, or its serial @throws ApiError 404 where it is not
 * assigned
 */
export async function takeSensorOff(database: Queryable, channelId: number, sensor: string): Promise<void> {
  const isSerial = /^\d{1,15}$/.test(sensor);
  const rows = await database.query(
    `delete from channel_sensor using device
     where channel_id = $1 and device.id = sensor_id and ${isSerial ? "device.serial = $2::bigint" : "device.id = $2::uuid"}
     returning sensor_id`,
    [channelId, isSerial ? Number(sensor) : uuidOf(sensor, "sensor")],
  );
  if (rows.length === 0) throw notFound("sensor");
}

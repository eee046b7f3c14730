import type { Controller } from "@mulkko/shared/entities/controller";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../database/database.ts";
import type { DriverName } from "../devices/device-index.ts";
import { notFound } from "../http/api-error.ts";
import { versionOf } from "../http/version.ts";
import { MOISTURE_AT } from "./channel-store.ts";

/** Most listed controllers of one account. */
const MAX_LISTED = 1_000;

interface ControllerRow {
  id: string;
  serial: number;
  name: string;
  description: string;
  type: string;
  cluster_id: number | null;
  image_path: string | null;
  external_id: string | null;
  profile: string | null;
  driver: DriverName;
  address: string | null;
  /** ms UTC. */
  created_at: number;
}

interface ChannelRow {
  id: number;
  controller_id: string;
  number: number;
}

interface MemberRow {
  channel_id: number;
  id: string;
  serial: number;
  name: string;
}

/** List controllers with their channels: all of an account, or the one with `id` if the owner may use it. */
export async function listControllers(
  database: Queryable,
  zone: ApiTimeZone,
  only: { readonly accountId: string | null; readonly id: string | null },
): Promise<Controller[]> {
  const controllers = await database.query<ControllerRow>(
    `select controller.*, device.serial, device.external_id, device.profile, device.created_at
     from controller join device using (id)
     where ($1::uuid is null or device.account_id = $1) and ($2::uuid is null or controller.id = $2)
     order by device.serial limit $3`,
    [only.accountId, only.id, MAX_LISTED],
  );
  const ids = controllers.map(({ id }) => id);
  const channels = await database.query<ChannelRow>(
    "select id, controller_id, number from channel where controller_id = any($1::uuid[]) order by number",
    [ids],
  );
  const members = await database.query<MemberRow>(
    `select channel_id, sensor.id, device.serial, sensor.name
     from channel_sensor join channel on channel.id = channel_id
     join sensor on sensor.id = sensor_id join device on device.id = sensor_id
     where controller_id = any($1::uuid[]) order by device.serial`,
    [ids],
  );
  const membersOf = Map.groupBy(members, ({ channel_id }) => channel_id);
  const channelsOf = Map.groupBy(channels, ({ controller_id }) => controller_id);
  return controllers.map(({ id, serial, name, description, type, ...more }) => {
    const written = {
      serial,
      name,
      description,
      type,
      clusterId: more.cluster_id ?? 0,
      externalId: more.external_id,
      profile: more.profile,
      driver: more.driver,
      address: more.address,
    };
    const channels = (channelsOf.get(id) ?? []).map((channel) => ({
      id: channel.id,
      channelNumber: channel.number,
      sensors: (membersOf.get(channel.id) ?? []).map((sensor) => ({
        id: sensor.id,
        serial: sensor.serial,
        name: sensor.name,
      })),
    }));
    const assignments = channels.map((channel) => [
      channel.channelNumber,
      ...channel.sensors.map((one) => one.id),
    ]);
    return {
      id,
      ...written,
      imagePath: more.image_path,
      createdDate: zone.toApi(more.created_at),
      channels,
      version: versionOf({ ...written, assignments }),
    };
  });
}

/** Return one controller. @throws ApiError 404 where the owner may not use it; a null owner may use any */
export async function readController(
  database: Queryable,
  zone: ApiTimeZone,
  id: string,
  accountId: string | null,
): Promise<Controller> {
  const [controller] = await listControllers(database, zone, { accountId, id });
  if (!controller) throw notFound("controller");
  return controller;
}

/** An existing channel of a controller, with its device. */
export interface FoundChannel {
  readonly id: number;
  readonly controller_id: string;
  readonly number: number;
  readonly serial: number;
  readonly account_id: string;
}

/** Return the channel if the owner may use it; a null owner may use any. */
export async function findChannel(
  database: Queryable,
  channelId: number,
  owner: string | null,
): Promise<FoundChannel | undefined> {
  const [row] = await database.query<FoundChannel>(
    `select channel.id, controller_id, number, device.serial, device.account_id
     from channel join controller on controller.id = controller_id join device on device.id = controller_id
     where channel.id = $1 and ($2::uuid is null or device.account_id = $2)`,
    [channelId, owner],
  );
  return row;
}

/**
 * Return the mean of the channel's sensor values received since `freshFrom` (ms), %; null where there are
 * none.
 */
export async function meanMoisture(
  database: Queryable,
  channelId: number,
  freshFrom: number,
): Promise<number | null> {
  const [row] = await database.query<{ moisture: number | null }>(
    `select avg(latest.moisture) as moisture from channel_sensor
     join latest using (sensor_id) where channel_id = $1 and ${MOISTURE_AT} >= $2`,
    [channelId, new Date(freshFrom)],
  );
  return row?.moisture ?? null;
}

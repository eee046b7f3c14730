import { hashSecret } from "../accounts/key.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { insertAccount } from "../accounts/repository.ts";
import type { Database, Queryable } from "../database/database.ts";
import { insertDevice } from "../devices/enrol.ts";
import { saveAutomatic, savePeriod, saveReservation, setMode } from "../valves/modes/repository.ts";
import { DEMO_ACCOUNTS, DEMO_CONTROLLERS, DEMO_DEVICES, DEMO_FARMS, type DemoMode } from "./farm.ts";

function found<V>(map: ReadonlyMap<string | number, V>, key: string | number): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`the demo farm names "${key}", which it does not have`);
  return value;
}

const NATIVE = { externalId: null, profile: null } as const;

async function insertFarms(
  tx: Queryable,
  accounts: ReadonlyMap<string, string>,
): Promise<Map<string, number>> {
  const farms = new Map<string, number>();
  for (const { key, owner, name, description } of DEMO_FARMS) {
    const [row] = await tx.query<{ id: number }>(
      "insert into cluster (account_id, name, description) values ($1, $2, $3) returning id",
      [found(accounts, owner), name, description],
    );
    if (row) farms.set(key, row.id);
  }
  return farms;
}

/** Insert the setting of a mode, and activate it. */
async function insertWatering(tx: Queryable, channelId: number, watering: DemoMode): Promise<void> {
  switch (watering.mode) {
    case "automatic":
      await saveAutomatic(tx, channelId, watering);
      break;
    case "reservation":
      await saveReservation(tx, channelId, watering);
      break;
    case "period":
      await savePeriod(tx, channelId, watering);
      break;
  }
  await setMode(tx, channelId, watering.mode);
}

async function insertControllers(
  tx: Queryable,
  accounts: ReadonlyMap<string, string>,
  keys: ReadonlyMap<number, string>,
  now: number,
): Promise<void> {
  const sensorIds = new Map(DEMO_DEVICES.map(({ serial, id }) => [serial, id]));
  for (const { id, serial, owner, name, description, type, channels } of DEMO_CONTROLLERS) {
    const accountId = found(accounts, owner);
    const keyHash = hashSecret(found(keys, serial));
    await insertDevice(tx, { id, serial, kind: "controller", accountId, keyHash, ...NATIVE }, now);
    await tx.query("insert into controller (id, name, description, type) values ($1, $2, $3, $4)", [
      id,
      name,
      description,
      type,
    ]);
    for (const { channelNumber, sensorSerials, watering } of channels) {
      const [channel] = await tx.query<{ id: number }>(
        `with added as (insert into channel (controller_id, number) values ($1, $2) returning id)
         insert into channel_sensor (channel_id, sensor_id) select added.id, sensor from added, unnest($3::uuid[]) sensor
         returning channel_id as id`,
        [id, channelNumber, sensorSerials.map((sensor) => found(sensorIds, sensor))],
      );
      if (channel && watering) await insertWatering(tx, channel.id, watering);
    }
  }
}

/**
 * Insert the demo's accounts, farms, sensors and controllers in one transaction. @param now ms since 1970 UTC
 */
export async function insertDemoFarm(
  database: Database,
  keys: ReadonlyMap<number, string>,
  password: string,
  now: number,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await database.transaction(async (tx) => {
    for (const account of DEMO_ACCOUNTS) await insertAccount(tx, { ...account, passwordHash }, now);
    const accounts = new Map(DEMO_ACCOUNTS.map(({ username, id }) => [username, id]));
    const farms = await insertFarms(tx, accounts);
    for (const sensor of DEMO_DEVICES) {
      const { id, serial } = sensor;
      const accountId = found(accounts, sensor.owner);
      const keyHash = hashSecret(found(keys, serial));
      await insertDevice(tx, { id, serial, kind: "sensor", accountId, keyHash, ...NATIVE }, now);
      await tx.query(
        `insert into sensor (id, name, device_type, description, crops, latitude, longitude, widget, cluster_id, ch_nums)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          id,
          sensor.name,
          sensor.deviceType,
          sensor.description,
          sensor.crops,
          sensor.latitude,
          sensor.longitude,
          sensor.widget,
          found(farms, sensor.farm),
          sensor.chNums,
        ],
      );
    }
    await insertControllers(tx, accounts, keys, now);
  });
}

/** Replace the keys of demo devices after their key file was lost. */
export async function renewDemoKeys(database: Queryable, keys: ReadonlyMap<number, string>): Promise<void> {
  for (const [serial, key] of keys) {
    const hash = hashSecret(key);
    await database.query("update device set key_hash = $2 where serial = $1 and key_hash <> $2", [
      serial,
      hash,
    ]);
  }
}

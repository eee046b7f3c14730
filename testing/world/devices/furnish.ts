import { buildAccount } from "@mulkko/shared/testing/builders";
import { hashSecret } from "../../../api/src/accounts/key.ts";
import { insertAccount } from "../../../api/src/accounts/repository.ts";
import type { App as ApiApp } from "../../../api/src/http/server.ts";
import type { AutomaticPlan } from "../plan/automatic-plan.ts";
import { type Plan, START, type Watering } from "../plan/plan.ts";
import { DEV_EUI, PROFILE } from "./lorawan.ts";
import type { Valve } from "./truth.ts";

export const ACCOUNT = buildAccount({ username: "kim" });
export const CONTROLLER = {
  id: "20000000-0000-4000-8000-000000000001",
  serial: 200_001,
  key: "key-of-controller",
};
/** Topic of a controller that has no own protocol. */
export const ADDRESS = "valves-of-bed";
export const SENSOR = { id: "30000000-0000-4000-8000-000000000001", serial: 300_001, key: "key-of-sensor" };
export const METER = { id: "30000000-0000-4000-8000-000000000002", serial: 300_002, key: "key-of-meter" };
/** Asia/Seoul, the zone of a new account. */
const ZONE_MS = 9 * 3_600_000;

/** Set a watering mode, and put it in charge. */
async function plant({ database }: ApiApp, watering: Watering): Promise<void> {
  const { valve, mode, minutes, runMinutes } = watering;
  const [channel] = await database.query<{ id: number }>(
    "update channel set mode = $3, mode_revision = 1 where controller_id = $1 and number = $2 returning id",
    [CONTROLLER.id, valve, mode],
  );
  if (!channel) throw new Error(`no channel ${valve}`);
  if (mode === "period") {
    await database.query(
      "insert into watering_period (channel_id, watering_interval, watering_duration, repeat) values ($1, $2, $3, true)",
      [channel.id, minutes, runMinutes],
    );
    return;
  }
  const onTime = watering.onTime ?? new Date(START + ZONE_MS + minutes * 60_000).toISOString().slice(11, 16);
  await database.query(
    "insert into watering_reservation (channel_id, on_time, watering_duration, repeat) values ($1, $2, $3, true)",
    [channel.id, onTime, runMinutes],
  );
}

/** Put automatic in charge of a valve, by the moisture of the sensor in its bed. */
async function plantAutomatic({ database }: ApiApp, plan: AutomaticPlan): Promise<void> {
  const { valve, lowerBound = null, upperBound = null, runMinutes } = plan;
  const [channel] = await database.query<{ id: number }>(
    "update channel set mode = 'automatic', mode_revision = 1 where controller_id = $1 and number = $2 returning id",
    [CONTROLLER.id, valve],
  );
  if (!channel) throw new Error(`no channel ${valve}`);
  await database.query(
    "insert into watering_trigger (channel_id, lower_bound, upper_bound, watering_duration) values ($1, $2, $3, $4)",
    [channel.id, lowerBound, upperBound, runMinutes],
  );
  await database.query("insert into channel_sensor (channel_id, sensor_id) values ($1, $2)", [
    channel.id,
    SENSOR.id,
  ]);
}

/** Create account, farm, controller and valves, as after a registration. */
export async function furnish(app: ApiApp, valves: readonly Valve[], plan: Plan): Promise<void> {
  const { database } = app;
  const start = plan.start ?? START;
  await insertAccount(
    database,
    { id: `${ACCOUNT.id}`, username: ACCOUNT.username, passwordHash: "-", nickname: "Kim", userType: "USER" },
    start,
  );
  if (plan.zone !== undefined)
    await database.query("update account set timezone = $2 where id = $1", [`${ACCOUNT.id}`, plan.zone]);
  await database.query("insert into cluster (account_id, name) values ($1, 'House')", [`${ACCOUNT.id}`]);
  await database.query(
    "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'controller', $3, $4, $5)",
    [CONTROLLER.id, CONTROLLER.serial, `${ACCOUNT.id}`, hashSecret(CONTROLLER.key), new Date(start)],
  );
  const { driver = "native" } = plan.controller;
  await database.query(
    "insert into controller (id, name, type, driver, address) values ($1, 'Valve box', 'CON04V', $2, $3)",
    [CONTROLLER.id, driver, driver === "native" ? null : ADDRESS],
  );
  await database.query(
    "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'sensor', $3, $4, $5)",
    [SENSOR.id, SENSOR.serial, `${ACCOUNT.id}`, hashSecret(SENSOR.key), new Date(start)],
  );
  await database.query("insert into sensor (id, name, device_type) values ($1, 'Bed', 'SMS')", [SENSOR.id]);
  if (plan.lora)
    await database.query("update device set external_id = $2, profile = $3 where id = $1", [
      SENSOR.id,
      DEV_EUI,
      PROFILE,
    ]);
  if (plan.meter) {
    await database.query(
      "insert into device (id, serial, kind, account_id, key_hash, created_at) values ($1, $2, 'sensor', $3, $4, $5)",
      [METER.id, METER.serial, `${ACCOUNT.id}`, hashSecret(METER.key), new Date(start)],
    );
    await database.query("insert into sensor (id, name, device_type) values ($1, 'Pipe', 'WATERFLOW')", [
      METER.id,
    ]);
  }
  for (const { number } of valves) {
    await database.query("insert into channel (controller_id, number) values ($1, $2)", [
      CONTROLLER.id,
      number,
    ]);
  }
  for (const watering of plan.waterings ?? []) await plant(app, watering);
  if (plan.automatic) await plantAutomatic(app, plan.automatic);
  await app.deviceIndex.reload();
}

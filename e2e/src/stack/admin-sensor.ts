import { Sensor } from "@mulkko/shared/entities/sensor";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { read, signIn } from "./account.ts";
import type { Stack } from "./start-stack.ts";

/** The sensors of all accounts, as the demo's administrator lists them. */
export async function allSensors(stack: Stack): Promise<Sensor[]> {
  const admin = await signIn(stack.url, "admin");
  return read(await admin.get(apiPath.adminSensors), Type.Array(Sensor));
}

/** The id of whoever's sensor with this serial. */
export async function adminSensorId(stack: Stack, serial: number): Promise<string> {
  const sensor = (await allSensors(stack)).find((each) => Number(each.serial) === serial);
  if (!sensor) throw new Error(`there is no sensor ${serial}`);
  return String(sensor.id);
}

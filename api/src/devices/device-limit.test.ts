import { adminSensorAdd } from "@mulkko/shared/rest/operations/admin";
import { controllerAdd } from "@mulkko/shared/rest/operations/controllers";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Callers, signInAll } from "../../testing/callers.ts";
import { FARMER, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
let callers: Callers;
beforeAll(async () => {
  // The first farmer of the test farm has four devices.
  farm = await startTestFarm({ MAX_DEVICES: "6" });
  callers = await signInAll(farm);
});
afterAll(() => farm.close());

const sensor = (serial: number) => ({ name: "Bed", serial: `${serial}`, deviceType: "SMS" });

test("[SHARE-6] an account registers as many devices as it may, also at the same time; an administrator adds more", async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => callers.ask("POST", sensorAdd.path, sensor(770_000 + n))),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409, 409, 409]);
  const controller = { name: "Valves", serial: "770010", type: "CON04V" };
  const refused = await callers.ask("POST", controllerAdd.path, controller);
  expect(refused.json()).toMatchObject({ status: 409, code: "device-limit" });
  const added = await callers.ask(
    "POST",
    adminSensorAdd.path,
    { ...sensor(770_020), userId: FARMER },
    "overseer",
  );
  expect(added.statusCode).toBe(200);
  expect((await callers.ask("POST", sensorAdd.path, sensor(770_021), "overseer")).statusCode).toBe(200);
});

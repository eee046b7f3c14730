import { DeadLetterReport, Knock } from "@mulkko/shared/rest/dead-letter";
import { adminKnocks } from "@mulkko/shared/rest/operations/admin";
import { deadLetters } from "@mulkko/shared/rest/operations/devices";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Callers, signInAll } from "../../testing/callers.ts";
import { SOIL, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";
import { MAX_DEVICE_LETTERS } from "./dead-letters.ts";
import { MAX_KNOCKS } from "./knocks.ts";

const UPLINK_KEY = "network-server-key-0123456789";
let farm: TestFarm;
let callers: Callers;
beforeAll(async () => {
  farm = await startTestFarm({ UPLINK_KEY });
  callers = await signInAll(farm);
});
afterAll(() => farm.close());
beforeEach(async () => {
  await farm.app.ingest.deadLetters.flush();
  await farm.app.database.query("delete from dead_letter");
  farm.clock.advance(60_000);
});

const ask = (id: string, who = "farmer-one") =>
  callers.ask("GET", pathTo(deadLetters, { id }), undefined, who);
const report = async (id: string, who?: string): Promise<DeadLetterReport> => {
  await farm.app.ingest.deadLetters.flush();
  const answer = parse(DeadLetterReport, (await ask(id, who)).json());
  if (!answer.ok) throw new Error(`${answer.path} ${answer.message}`);
  return answer.value;
};
const knocks = async (): Promise<Knock[]> => {
  const answer = parse(
    Type.Array(Knock),
    (await callers.ask("GET", adminKnocks.path, undefined, "overseer")).json(),
  );
  if (!answer.ok) throw new Error(`${answer.path} ${answer.message}`);
  return answer.value;
};

describe("[dead-letters] rejected messages", () => {
  test("[dead-letters] only the owner and an administrator read reason, text and time", async () => {
    const device = await farm.connect(SOIL);
    await device.publishAsync(`mulkko/${SOIL.serial}/up`, "moisture=3", { qos: 1 });
    farm.clock.advance(1_000);
    const strange = '{"moisture": 140, "soilTemperature": "warm"}';
    await device.publishAsync(`mulkko/${SOIL.serial}/up`, strange, { qos: 1 });
    const now = new Date(farm.clock.now()).toISOString();
    const said = await report(SOIL.id);
    expect(said).toMatchObject({ count: 2, more: false });
    expect(said.letters[0]).toEqual({
      at: now,
      topic: `mulkko/${SOIL.serial}/up`,
      faults: [
        { reason: "out-of-range", field: "moisture" },
        { reason: "wrong-type", field: "soilTemperature" },
        { reason: "no-usable-field", field: null },
      ],
      text: strange,
    });
    expect(said.letters[1]?.faults).toEqual([{ reason: "not-json", field: null }]);
    expect(await report(SOIL.id, "overseer")).toEqual(said);
    expect((await ask(SOIL.id, "farmer-two")).statusCode).toBe(404);
    expect((await callers.ask("GET", adminKnocks.path, undefined, "farmer-one")).statusCode).toBe(403);
  });

  test("[dead-letters] reports a forbidden topic to the device's owner", async () => {
    const device = await farm.connect(SOIL, { clientId: "lost" });
    device.publish("zigbee2mqtt/soil", '{"soil_moisture": 31}', { qos: 0 });
    await eventually(async () => {
      expect((await report(SOIL.id)).letters[0]).toMatchObject({
        topic: "zigbee2mqtt/soil",
        faults: [{ reason: "unknown-topic", field: null }],
        text: '{"soil_moisture": 31}',
      });
    });
    expect((await report(VALVES.id)).count).toBe(0);
  });

  test("[dead-letters] keeps a limited number per device, the newest, for seven days", async () => {
    const at = farm.clock.now();
    for (let index = 0; index < MAX_DEVICE_LETTERS + 50; index += 1) {
      farm.app.ingest.deadLetters.add({
        ...{ at: at + index, topic: "t", deviceId: SOIL.id, serial: "1" },
        ...{ reason: "not-json", field: null, payload: Buffer.from(String(index)) },
      });
    }
    const said = await report(SOIL.id);
    expect(said).toMatchObject({ count: MAX_DEVICE_LETTERS, more: true });
    expect(said.letters[0]?.text).toBe(String(MAX_DEVICE_LETTERS + 49));
    expect(said.letters.length).toBeLessThanOrEqual(10);
    farm.clock.advance(7 * 86_400_000 + 60_000);
    callers = await signInAll(farm);
    expect(await report(SOIL.id)).toMatchObject({ count: 0, letters: [] });
  });

  test("[dead-letters] are deleted with their device", async () => {
    await farm.app.database.query(
      `insert into device (id, serial, kind, account_id, key_hash, created_at)
       select gen_random_uuid(), 999, 'sensor', account_id, key_hash, now() from device limit 1`,
    );
    await farm.app.database.query(
      `insert into dead_letter (at, topic, device_id, reason, payload)
       select now(), 't', id, 'not-json', '' from device where serial = 999`,
    );
    await farm.app.database.query("delete from device where serial = 999");
    const left = await farm.app.database.query("select id from dead_letter");
    expect(left).toEqual([]);
  });
});

describe("[dead-letters] connection attempts of unknown devices", () => {
  test("[dead-letters] lists a login with an unknown serial until it is registered, but not one with a wrong key", async () => {
    const refused = (username: string) =>
      farm.connect({ username, password: "nothing" }).catch((error: Error) => error.message);
    expect(await refused("24990001")).toMatch(/user/i);
    farm.clock.advance(1_000);
    await refused("0024990001");
    await refused(String(SOIL.serial));
    await refused("not-a-serial");
    expect(await knocks()).toMatchObject([{ kind: "serial", name: "24990001", count: 2 }]);
    const body = { name: "New", serial: "24990001", deviceType: "SMS" };
    expect((await callers.ask("POST", sensorAdd.path, body, "farmer-one")).statusCode).toBe(200);
    expect(await knocks()).toEqual([]);
  });

  test("[dead-letters] lists an unregistered LoRaWAN device too", async () => {
    const server = await farm.connect({ username: "network-server", password: UPLINK_KEY });
    const event = { deviceInfo: { devEui: "a84041000181c061" }, object: { water_SOIL: "19" }, data: "AA==" };
    await server.publishAsync("application/x/device/a84041000181c061/event/up", JSON.stringify(event), {
      qos: 1,
    });
    expect(await knocks()).toMatchObject([{ kind: "external-id", name: "a84041000181c061", count: 1 }]);
  });

  test("[dead-letters] remembers only the last ones, however many serials are guessed", async () => {
    for (let serial = 1; serial <= MAX_KNOCKS + 5; serial += 1)
      farm.app.ingest.knocks.add("serial", `77${serial}`);
    const all = await knocks();
    expect(all).toHaveLength(MAX_KNOCKS);
    expect(all[0]?.name).toBe(`77${MAX_KNOCKS + 5}`);
  });
});

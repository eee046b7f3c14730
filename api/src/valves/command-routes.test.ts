import { OnOffCommand } from "@mulkko/shared/mqtt/device-messages";
import { REPLACES_HEADER } from "@mulkko/shared/rest/command";
import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { parseJson } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  COT,
  FARMER,
  FOREIGN_VALVES,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../testing/test-farm.ts";

let farm: TestFarm;
let valves: MqttClient;
let received: { topic: string; payload: string; retain: boolean }[] = [];
const bearer: Record<string, string> = {};

const plug = async (): Promise<void> => {
  valves = await farm.connect(VALVES);
  valves.on("message", (topic, payload, { retain }) => {
    received.push({ topic, payload: payload.toString(), retain: retain === true });
  });
  await valves.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/onoff`, { qos: 1 });
};

beforeAll(async () => {
  farm = await startTestFarm();
  for (const name of ["farmer-one", "farmer-two", "overseer"]) {
    bearer[name] = (await farm.signIn(name)).authorization;
  }
  const relay = await farm.app.inject({
    method: "POST",
    url: relaySession.path,
    headers: { relaykey: RELAY_KEY },
    payload: { userId: FARMER },
  });
  bearer.relay = `Bearer ${relay.json().accessToken}`;
  await plug();
});
afterAll(() => farm.close());
beforeEach(() => {
  received = [];
});

const OPEN = { uuid: VALVES.id, command: "onoff", deviceType: "controller", channel: 1, payload: 1 };
const command = (
  body: unknown,
  {
    who = "farmer-one",
    key = "",
    url = controllerCommand.path,
    replaces = "",
  }: { who?: string; key?: string; url?: string; replaces?: string } = {},
) =>
  farm.app.inject({
    method: "POST",
    url,
    headers: {
      authorization: bearer[who] ?? "",
      "content-type": "application/json",
      ...(key ? { "idempotency-key": key } : {}),
      ...(replaces ? { [REPLACES_HEADER]: replaces } : {}),
    },
    payload: JSON.stringify(body),
  });
const commands = () =>
  received.map(({ payload }) => {
    const parsed = parseJson(OnOffCommand, payload);
    if (!parsed.ok) throw new Error(`${parsed.path} ${parsed.message}`);
    return parsed.value;
  });

describe("[command]", () => {
  test("[RUN-1] an open sends its key, its end and its expiry to the controller; without a run time it gets ten minutes", async () => {
    const answer = await command({ ...OPEN, maxRunSeconds: 60 }, { key: "key-1" });
    expect([answer.statusCode, answer.json()]).toEqual([200, { commandId: "key-1" }]);
    const plain = await command({ ...OPEN, channel: "2", payload: "1" });
    await eventually(() => expect(received).toHaveLength(2));
    expect(received.map(({ topic, retain }) => [topic, retain])).toEqual([
      [`mulkko/${VALVES.serial}/ch/1/cmd/onoff`, false],
      [`mulkko/${VALVES.serial}/ch/2/cmd/onoff`, false],
    ]);
    const expiresAt = new Date(farm.clock.now() + 10_000).toISOString();
    expect(commands()).toEqual([
      { state: 1, commandId: "key-1", expiresAt, maxRunSeconds: 60 },
      { state: 1, commandId: plain.json().commandId, expiresAt, maxRunSeconds: 600 },
    ]);
  });

  test("[CMD-4] an open expires when its sender says, and never later than the API's own limit", async () => {
    const at = (ms: number) => new Date(farm.clock.now() + ms).toISOString();
    const sooner = at(3_000);
    const cap = at(10_000);
    await command({ ...OPEN, expiresAt: sooner });
    await command({ ...OPEN, channel: 2, expiresAt: at(25_000) });
    await eventually(() => expect(received).toHaveLength(2));
    expect(commands().map(({ expiresAt }) => expiresAt)).toEqual([sooner, cap]);
  });

  test("[CMD-4] an open expires by its controller's clock, where its reports show that the clocks differ", async () => {
    const state = async (aheadMs: number): Promise<void> => {
      const at = new Date(farm.clock.now() + aheadMs).toISOString();
      const topic = `mulkko/${VALVES.serial}/ch/1/state`;
      await valves.publishAsync(topic, JSON.stringify({ onoff: 2, at }), { qos: 1 });
    };
    for (const aheadMs of [-3_600_000, 3_600_000]) {
      // The last three reports count.
      for (const late of [2_000, 0, 1_000]) await state(aheadMs - late);
      received = [];
      await command(OPEN);
      await eventually(() => expect(received).toHaveLength(1));
      const expiresAt = new Date(farm.clock.now() + aheadMs + 10_000).toISOString();
      expect(commands()).toMatchObject([{ state: 1, expiresAt }]);
    }
    // Without a time there is only the API's own clock.
    await valves.publishAsync(`mulkko/${VALVES.serial}/ch/1/state`, JSON.stringify({ onoff: 2 }), { qos: 1 });
  });

  test("[CMD-4] refuses a late open, which may be repeated; never refuses a close", async () => {
    const late = { expiresAt: new Date(farm.clock.now()).toISOString() };
    const refused = await command({ ...OPEN, ...late }, { key: "key-late" });
    expect([refused.statusCode, refused.json().code]).toEqual([409, "command-expired"]);
    expect((await command({ ...OPEN, ...late, payload: 2 })).statusCode).toBe(200);
    expect((await command(OPEN, { key: "key-late" })).statusCode).toBe(200);
    await eventually(() => expect(commands().map(({ state }) => state)).toEqual([2, 1]));
  });

  test("[W-14] a close that arrives after the opening that replaces it closes nothing", async () => {
    const close = (key: string, channel = 1) => command({ ...OPEN, channel, payload: 2 }, { key });
    await command(OPEN, { key: "open-w", replaces: "close-w1,close-w2" });
    const late = await close("close-w2");
    expect([late.statusCode, late.json().code]).toEqual([409, "command-expired"]);
    // Another valve's, and every other close, is carried out.
    expect((await close("close-w1", 2)).statusCode).toBe(200);
    expect((await close("close-w3")).statusCode).toBe(200);
    await eventually(() => expect(commands().map(({ state }) => state)).toEqual([1, 2, 2]));
  });

  test("[RUN-1] an open may run overnight, and for a day at most", async () => {
    const answer = await command({ ...OPEN, maxRunSeconds: 86_401 });
    expect(answer.statusCode).toBe(422);
    expect((await command({ ...OPEN, maxRunSeconds: 43_200 })).statusCode).toBe(200);
    await eventually(() => expect(commands()).toMatchObject([{ maxRunSeconds: 43_200 }]));
  });

  test("[idempotent-cmd] executes an open's key once within a day, for one command", async () => {
    const ask = (body: object = OPEN) => command(body, { key: "key-2" });
    expect((await ask()).json()).toEqual({ commandId: "key-2" });
    expect((await ask({ ...OPEN, maxRunSeconds: 55 })).json()).toEqual({ commandId: "key-2" });
    const other = await ask({ ...OPEN, channel: 2 });
    expect([other.statusCode, other.json().code]).toEqual([409, "command-conflict"]);
    await farm.app.database.query("update command set created_at = $1 where key = 'key-2'", [
      new Date(farm.clock.now() - 24 * 3_600_000 - 1),
    ]);
    expect((await ask()).statusCode).toBe(200);
    await eventually(() => expect(received).toHaveLength(2));
  });

  test("[idempotent-cmd] executes the same key once for two simultaneous requests", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => command(OPEN, { key: "key-3" })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    await command({ ...OPEN, payload: 2 }, { key: "key-4" });
    await eventually(() => expect(commands().map(({ commandId }) => commandId)).toEqual(["key-3", "key-4"]));
  });

  test("[command] sends a repeated close again", async () => {
    const close = () => command({ ...OPEN, payload: 2 }, { key: "key-5" });
    await close();
    await close();
    await eventually(() => expect(commands().map(({ state }) => state)).toEqual([2, 2]));
    expect(commands()[0]).not.toHaveProperty("maxRunSeconds");
  });

  test("[command] separates the keys of accounts", async () => {
    await command(OPEN, { key: "key-6" });
    expect((await command(OPEN, { key: "key-6", who: "overseer" })).statusCode).toBe(200);
    await eventually(() => expect(received).toHaveLength(2));
  });

  test("[CMD-3] without a session of that controller refuses an open, which may be repeated, and accepts a close", async () => {
    await valves.endAsync();
    await eventually(() => expect(farm.app.broker.hasSession(VALVES.serial)).toBe(false));
    const refused = await command(OPEN, { key: "key-7" });
    expect([refused.statusCode, refused.json().code]).toEqual([409, "controller-offline"]);
    expect((await command({ ...OPEN, payload: 2 })).statusCode).toBe(200);
    await plug();
    expect((await command(OPEN, { key: "key-7" })).statusCode).toBe(200);
    await eventually(() => expect(received).toHaveLength(1));
  });

  test("[command] the relay's own token may close, and open nothing", async () => {
    const open = await command(OPEN, { who: "relay" });
    expect([open.statusCode, open.json().code]).toEqual([403, "forbidden"]);
    expect((await command({ ...OPEN, payload: 2 }, { who: "relay" })).statusCode).toBe(200);
  });

  test("[command] accepts a COT sensor by its id, also on the older path", async () => {
    const cot = await farm.connect(COT);
    const topics: string[] = [];
    cot.on("message", (topic) => topics.push(topic));
    await cot.subscribeAsync(`mulkko/${COT.serial}/#`, { qos: 1 });
    const body = { ...OPEN, uuid: COT.id, channel: 2 };
    expect((await command(body, { url: sensorCommand.path })).statusCode).toBe(200);
    await eventually(() => expect(topics).toEqual([`mulkko/${COT.serial}/ch/2/cmd/onoff`]));
    await cot.endAsync();
  });

  test.each([
    ["another's controller", { ...OPEN, uuid: FOREIGN_VALVES.id }, 404],
    ["an unknown controller", { ...OPEN, uuid: "nonsense" }, 404],
    ["a sensor without channels", { ...OPEN, uuid: SOIL.id }, 404],
    ["a channel that is not there", { ...OPEN, channel: 3 }, 404],
    ["no controller", { ...OPEN, uuid: undefined }, 422],
    ["channel 9", { ...OPEN, channel: 9 }, 422],
    ["payload 0", { ...OPEN, payload: 0 }, 422],
    ["payload 'on'", { ...OPEN, payload: "on" }, 422],
    ["another command", { ...OPEN, command: "explode" }, 422],
    ["no run time at all", { ...OPEN, maxRunSeconds: 0 }, 422],
    ["half a second", { ...OPEN, maxRunSeconds: 0.5 }, 422],
    ["an expiry that is no time", { ...OPEN, expiresAt: "soon" }, 422],
    ["a list", [OPEN], 422],
    ["nothing", null, 422],
  ])("[command] %s is refused", async (_case, body, status) => {
    const answer = await command(body);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status, code: status === 404 ? "not-found" : "validation" });
    expect(received).toEqual([]);
  });

  test("[command] sends nothing without a token or with an invalid key", async () => {
    expect((await command(OPEN, { who: "nobody" })).statusCode).toBe(401);
    expect((await command(OPEN, { key: "not a key" })).statusCode).toBe(422);
    expect((await command(OPEN, { who: "farmer-two" })).statusCode).toBe(404);
    expect(received).toEqual([]);
  });
});

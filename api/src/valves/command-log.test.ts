import { CommandEntry } from "@mulkko/shared/rest/admin";
import { adminCommands } from "@mulkko/shared/rest/operations/admin";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { PageOf } from "@mulkko/shared/rest/paging";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FARMER, RELAY_KEY, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";
import { sweepCommands } from "./command-log.ts";

let farm: TestFarm;
let valves: MqttClient;
const bearer: Record<string, string> = {};

beforeAll(async () => {
  farm = await startTestFarm();
  for (const name of ["farmer-one", "overseer"]) bearer[name] = (await farm.signIn(name)).authorization;
  const relay = await farm.app.inject({
    method: "POST",
    url: relaySession.path,
    headers: { relaykey: RELAY_KEY },
    payload: { userId: FARMER },
  });
  bearer.relay = `Bearer ${relay.json().accessToken}`;
  valves = await farm.connect(VALVES);
});
afterAll(() => farm.close());

const command = (who: string, payload: object, key: string) =>
  farm.app.inject({
    method: "POST",
    url: controllerCommand.path,
    headers: { authorization: bearer[who] ?? "", "idempotency-key": key },
    payload: {
      uuid: VALVES.id,
      command: "onoff",
      deviceType: "controller",
      channel: 1,
      payload: 1,
      ...payload,
    },
  });
const list = (query = "", who = "overseer") =>
  farm.app.inject({
    url: `${adminCommands.path}${query}`,
    headers: { authorization: bearer[who] ?? "" },
  });
const content = async (query = ""): Promise<CommandEntry[]> => (await list(query)).json().content;

test("[audit] records every command with its actor, its device's owner and its outcome", async () => {
  await command("farmer-one", {}, "key-1");
  await command("farmer-one", {}, "key-1");
  await command("farmer-one", { expiresAt: new Date(farm.clock.now()).toISOString() }, "key-late");
  await command("relay", { payload: 2 }, "key-2");
  const answer = await list();
  expect(parse(PageOf(CommandEntry), answer.json()).ok).toBe(true);
  expect(answer.json().totalElements).toBe(3);
  const [closing, late, opening] = await content();
  expect(closing).toMatchObject({ byRelay: true, payload: "2", outcome: "taken", actorName: "farmer-one" });
  expect(late).toMatchObject({ outcome: "refused", reason: "command-expired", confirmedDate: null });
  expect(opening).toMatchObject({
    actorId: FARMER,
    userId: FARMER,
    username: "farmer-one",
    deviceId: VALVES.id,
    channelNumber: 1,
    command: "onoff",
    payload: "1",
    byRelay: false,
    createdDate: "2026-11-21 12:00:00",
  });
});

test("[audit] only the report of its own device confirms a command", async () => {
  const report = (number: number, commandId: string) =>
    valves.publishAsync(
      `mulkko/${VALVES.serial}/ch/${number}/state`,
      JSON.stringify({ onoff: 1, at: new Date(farm.clock.now()).toISOString(), commandId }),
      { qos: 1 },
    );
  await report(2, "key-1");
  await report(1, "key-9");
  farm.clock.advance(2_000);
  await report(1, "key-1");
  await eventually(async () =>
    expect((await content()).map(({ outcome }) => outcome)).toEqual(["taken", "refused", "confirmed"]),
  );
  expect((await content("?outcome=confirmed"))[0]?.confirmedDate).toBe("2026-11-21 12:00:02");
});

test("[audit] filters commands by person or device, outcome and time, by pages", async () => {
  const count = async (query: string): Promise<number> => (await list(query)).json().totalElements;
  expect(await count("?q=FARMER-one")).toBe(3);
  expect(await count("?q=nobody")).toBe(0);
  expect(await count("?outcome=refused")).toBe(1);
  expect(await count("?from=2026-11-21T03:00:01Z")).toBe(0);
  expect((await content("?page=2&size=2")).map(({ payload }) => payload)).toEqual(["1"]);
  expect((await list("?outcome=perhaps")).statusCode).toBe(422);
});

test("[audit] commands of all accounts are for administrators only, and kept for a year", async () => {
  expect((await list("", "farmer-one")).statusCode).toBe(403);
  expect((await list("", "relay")).statusCode).toBe(403);
  await sweepCommands(farm.app.database, farm.clock.now() + 364 * 86_400_000);
  expect(await content()).toHaveLength(3);
  await sweepCommands(farm.app.database, farm.clock.now() + 366 * 86_400_000);
  expect(await content()).toEqual([]);
});

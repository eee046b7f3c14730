import { controllerAdd } from "@mulkko/shared/rest/operations/controllers";
import { AddedSensor } from "@mulkko/shared/rest/sensor";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { type Database, DatabaseError } from "../database/database.ts";

const KEY = "5b1c7c1e-9f6a-4c3b-8a51-0d5a1f3c9e77";

let farm: TestFarm;
let authorization: Record<string, string>;
beforeAll(async () => {
  farm = await startTestFarm();
  authorization = {
    one: (await farm.signIn("farmer-one")).authorization,
    two: (await farm.signIn("farmer-two")).authorization,
  };
});
afterAll(() => farm.close());

const post = (url: string, payload: object, key: string, who: "one" | "two" = "one") =>
  farm.app.inject({
    method: "POST",
    url,
    payload,
    headers: { authorization: authorization[who] ?? "", "idempotency-key": key },
  });
const addSensor = (serial: string, key: string) =>
  post("/api/v1/sensor/add", { name: "Bed", deviceType: "SMS", serial }, key);

test("[CMD-20] a repeated key creates nothing twice, and answers with the device key again", async () => {
  const first = await addSensor("77001122", KEY);
  const again = await addSensor("77001122", KEY);
  expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
  const made = parse(AddedSensor, first.json());
  expect(made.ok && made.value.deviceKey).toBeTruthy();
  expect(again.json()).toEqual(first.json());
  expect((await addSensor("77001122", `${KEY}-other`)).statusCode).toBe(409);
});

test("[CMD-20] two calls with one key at the same time create one thing", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => addSensor("77001123", `${KEY}-b`)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
});

test("[CMD-20] a key of another content is refused, and an account's key is unknown to another", async () => {
  await addSensor("77001124", `${KEY}-c`);
  expect((await addSensor("77001125", `${KEY}-c`)).json()).toMatchObject({ code: "command-conflict" });
  const theirs = await post("/api/v1/cluster/add", { name: "North" }, `${KEY}-c`, "two");
  expect(theirs.statusCode).toBe(200);
});

test("[CMD-20] a refused creation leaves its key free, and the stored answer holds no device key", async () => {
  const refused = await post("/api/v1/cluster/add", { name: " " }, `${KEY}-d`);
  expect(refused.statusCode).toBeGreaterThanOrEqual(400);
  expect((await post("/api/v1/cluster/add", { name: "South" }, `${KEY}-d`)).statusCode).toBe(200);
  const made = parse(AddedSensor, (await addSensor("77001126", `${KEY}-e`)).json());
  const rows = await farm.app.database.query<{ answer: string | null; digest: string }>(
    "select digest, answer from created_once",
  );
  const text = JSON.stringify(rows);
  expect(made.ok && made.value.deviceKey).toBeTruthy();
  if (made.ok) expect(text).not.toContain(made.value.deviceKey);
  expect(text).not.toContain(KEY);
});

test("[CMD-20] a repeated renewal of a device key answers with the same key, for its own device alone", async () => {
  const made = await Promise.all([addSensor("77001131", `${KEY}-f`), addSensor("77001132", `${KEY}-g`)]);
  const [one, two] = made.map((answer) => parse(AddedSensor, answer.json()));
  if (!one?.ok || !two?.ok) throw new Error("the sensors were not created");
  const renew = (id: string) => post(`/api/v1/device/${id}/key`, {}, `${KEY}-h`);
  const first = await renew(`${one.value.id}`);
  expect(first.statusCode).toBe(200);
  expect((await renew(`${one.value.id}`)).json()).toEqual(first.json());
  expect((await renew(`${two.value.id}`)).json()).toMatchObject({ code: "command-conflict" });
});

describe("[CMD-20] a database that fails during a creation", () => {
  const whole = () => ({ query: farm.app.database.query, transaction: farm.app.database.transaction });
  let before: ReturnType<typeof whole>;
  beforeEach(() => {
    before = whole();
  });
  afterEach(() => Object.assign(farm.app.database, before));
  const away = () => Promise.reject(new DatabaseError("disk full", "53100"));
  const CALLS = {
    sensor: (key: string) => addSensor("77001141", key),
    controller: (key: string) =>
      post(controllerAdd.path, { name: "Box", type: "CON04V", serial: "77001142" }, key),
    farm: (key: string) => post("/api/v1/cluster/add", { name: "West" }, key),
  };

  test.each(Object.entries(CALLS))(
    "[CMD-20] creates no %s whose answer it cannot store, and creates it at the next call",
    async (name, call) => {
      const key = `${KEY}-fails-${name}`;
      const failing: Pick<Database, "transaction"> = {
        transaction: (work, queue) =>
          before.transaction(
            (tx) =>
              work({
                query: (sql, params) =>
                  sql.includes("update created_once") ? away() : tx.query(sql, params),
              }),
            queue,
          ),
      };
      Object.assign(farm.app.database, failing);
      expect((await call(key)).statusCode).toBe(503);
      Object.assign(farm.app.database, before);
      const again = await call(key);
      expect(again.statusCode).toBe(200);
      expect((await call(key)).json()).toEqual(again.json());
    },
  );

  test("[CMD-20] answers the repeated call where the first one's commit had no answer", async () => {
    const failing: Pick<Database, "transaction"> = {
      transaction: async (work, queue) => {
        await before.transaction(work, queue);
        return away();
      },
    };
    Object.assign(farm.app.database, failing);
    expect((await addSensor("77001143", `${KEY}-commit`)).statusCode).toBe(503);
    Object.assign(farm.app.database, before);
    const again = await addSensor("77001143", `${KEY}-commit`);
    const made = parse(AddedSensor, again.json());
    expect([again.statusCode, made.ok && made.value.deviceKey !== ""]).toEqual([200, true]);
    // The device that was created is known from now on.
    expect(farm.app.deviceIndex.bySerial(77_001_143)).toBeDefined();
  });

  test("[CMD-20] a key that cannot be freed hides no error of the creation", async () => {
    const failing: Pick<Database, "query" | "transaction"> = {
      query: (sql, ...more) => (sql.includes("answer is null") ? away() : before.query(sql, ...more)),
      transaction: () => Promise.reject(new DatabaseError("no right", "42501")),
    };
    Object.assign(farm.app.database, failing);
    expect((await addSensor("77001144", `${KEY}-kept`)).statusCode).toBe(503);
  });

  test.each([
    ["35 s later", 35_001],
    ["at once where the clock was set back", -3_600_000],
  ])("[W-6] a key whose call ended with its process is free %s", async (_, byMs) => {
    const key = `${KEY}-ended-${byMs < 0 ? "back" : "later"}`;
    const failing: Pick<Database, "query" | "transaction"> = {
      query: (sql, ...more) => (sql.includes("answer is null") ? away() : before.query(sql, ...more)),
      transaction: () => Promise.reject(new DatabaseError("ended", "57P01")),
    };
    Object.assign(farm.app.database, failing);
    const serial = byMs < 0 ? "77001145" : "77001146";
    expect((await addSensor(serial, key)).statusCode).toBe(503);
    Object.assign(farm.app.database, before);
    farm.clock.advance(byMs);
    expect((await addSensor(serial, key)).statusCode).toBe(200);
    farm.clock.advance(-byMs);
  });
});

import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { adminOutbox } from "@mulkko/shared/rest/operations/admin";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { sensorAdd, sensorList } from "@mulkko/shared/rest/operations/sensors";
import { OPERATIONS } from "@mulkko/shared/rest/operations/table";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
let headers: Record<string, string> = {};
beforeAll(async () => {
  farm = await startTestFarm();
  headers = { authorization: (await farm.signIn("farmer-one")).authorization };
});
afterAll(() => farm.close());

const ask = (url: string, options: InjectOptions = {}) => farm.app.inject({ method: "GET", url, ...options });
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

test("[http] a method that no call of a path has is 405 and names those that it has, for every call of the API", async () => {
  const paths = new Map<string, Set<string>>();
  for (const { path, methods } of OPERATIONS) {
    const known = paths.get(path) ?? new Set();
    for (const method of methods) known.add(method);
    paths.set(path, known);
  }
  let asked = 0;
  for (const [path, known] of paths) {
    const url = path.replaceAll(/:\w+/g, "7");
    const first = await ask(url, { method: "PATCH", headers });
    // Another call may have the same form: `/user/:id` and `/user/list`.
    if (known.has("PATCH") || first.statusCode !== 405) continue;
    asked += 1;
    const allowed = String(first.headers.allow).split(", ");
    for (const method of known) expect(allowed, path).toContain(method);
    for (const method of METHODS.filter((one) => !allowed.includes(one)))
      expect([(await ask(url, { method, headers })).statusCode, path]).toEqual([405, path]);
  }
  expect(asked).toBeGreaterThan(70);
  expect((await ask("/api/v1/nothing", { method: "POST", headers })).statusCode).toBe(404);
});

test("[http] a body of another type is 415; all wrong fields are named at once, with their whole path", async () => {
  const typed = { ...headers, "content-type": "text/plain" };
  const text = await ask(controllerCommand.path, { method: "POST", headers: typed, payload: "open" });
  expect(text.statusCode).toBe(415);
  const wrong = await ask(sensorAdd.path, { method: "POST", headers, payload: { name: 7, chNums: "many" } });
  expect(wrong.statusCode).toBe(422);
  const fields: string[] = wrong.json().errors.map(({ field }: { field: string }) => field);
  expect(fields).toEqual(expect.arrayContaining(["serial", "chNums"]));
  expect(new Set(fields).size).toBe(fields.length);
});

test("[http] a body with too many levels is 400, whatever else is wrong with it", async () => {
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  const typed = { ...headers, "content-type": "application/json" };
  for (const payload of [deep, `{"name": "x", "serial": 7, "more": ${deep}}`, `{"more": ${deep}}`]) {
    const answer = await ask(sensorAdd.path, { method: "POST", headers: typed, payload });
    expect([answer.statusCode, answer.json().code]).toEqual([400, "malformed"]);
  }
});

test("[http] an answer above 1 KB is compressed for who accepts it, but not one with secrets", async () => {
  const encodingOf = async (url: string, encoding: string, more: Record<string, string> = headers) =>
    (await ask(url, { headers: { ...more, "accept-encoding": encoding } })).headers["content-encoding"];
  expect(await encodingOf(sensorList.path, "br, gzip")).toBe("br");
  expect(await encodingOf(sensorList.path, "gzip")).toBe("gzip");
  expect(await encodingOf(sensorList.path, "identity")).toBeUndefined();
  // Short.
  expect(await encodingOf(accountInfo.path, "br")).toBeUndefined();
  for (let n = 0; n < 20; n += 1)
    await farm.app.database.query(
      "insert into outbox (recipient, subject, body, state, created_at) values ($1, $2, $3, 'kept', now())",
      ["kim@example.com", "A link", "x".repeat(200)],
    );
  const admin = { authorization: (await farm.signIn("overseer")).authorization };
  const outbox = await ask(adminOutbox.path, { headers: { ...admin, "accept-encoding": "br" } });
  expect(outbox.payload.length).toBeGreaterThan(2_000);
  expect(outbox.headers["content-encoding"]).toBeUndefined();
});

test("[http] what counts up is a counter in the metrics, and nothing else is", async () => {
  const text = (await ask("/metrics", { remoteAddress: "127.0.0.1" })).payload;
  const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type = ""]) => ({
    name,
    type,
  }));
  expect(types.length).toBeGreaterThan(15);
  // Those of Node itself have the library's names.
  for (const { name, type } of types.filter((one) => !one.name.includes("nodejs_active")))
    expect([name, type === "counter"]).toEqual([name, name.endsWith("_total")]);
});

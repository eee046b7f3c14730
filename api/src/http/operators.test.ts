import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

const TOKEN = "token-of-the-monitoring";
let farm: TestFarm;
let guarded: TestFarm;
beforeAll(async () => {
  [farm, guarded] = await Promise.all([startTestFarm(), startTestFarm({ METRICS_TOKEN: TOKEN })]);
});
afterAll(() => Promise.all([farm.close(), guarded.close()]));

const ask = (of: TestFarm, url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  of.app.inject({ url, remoteAddress, headers });
const forwarded = { "x-forwarded-for": "203.0.113.9" };
const bearer = { authorization: `Bearer ${TOKEN}` };

test("[ready] only this machine reads the metrics, and more of /ready than one word, without METRICS_TOKEN", async () => {
  expect((await ask(farm, "/metrics", "127.0.0.1")).statusCode).toBe(200);
  expect((await ask(farm, "/ready", "127.0.0.1")).json()).toMatchObject({
    handles: { ok: true },
    room: true,
  });
  for (const [address, headers] of [
    ["203.0.113.9", {}],
    ["127.0.0.1", forwarded],
  ] as const) {
    expect((await ask(farm, "/metrics", address, headers)).statusCode).toBe(401);
    const ready = await ask(farm, "/ready", address, headers);
    expect([ready.statusCode, ready.json()]).toEqual([200, { ready: true }]);
  }
});

test("[ready] with METRICS_TOKEN a client that sends it reads both from anywhere, and no other", async () => {
  expect((await ask(guarded, "/metrics", "203.0.113.9", bearer)).statusCode).toBe(200);
  expect((await ask(guarded, "/ready", "203.0.113.9", bearer)).json()).toHaveProperty("disk");
  for (const headers of [{}, { authorization: "Bearer another-token-of-16" }]) {
    expect((await ask(guarded, "/metrics", "127.0.0.1", headers)).statusCode).toBe(401);
    expect((await ask(guarded, "/ready", "127.0.0.1", headers)).json()).toEqual({ ready: true });
  }
});

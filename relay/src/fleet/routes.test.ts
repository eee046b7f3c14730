import etag from "@fastify/etag";
import { DISPLAY_TOKEN_PREFIX } from "@mulkko/shared/rest/displays";
import { BEAT_SLOTS } from "@mulkko/shared/rest/fleet";
import { relayPath } from "@mulkko/shared/rest/routes";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeFarm, type FakeFarm } from "../../testing/fake-farm.ts";
import { displayAuthGuardPlugin } from "../displays/display-auth-guard.ts";
import type { DisplayGrant } from "../http/caller.ts";
import { errorsPlugin } from "../http/errors.ts";
import { farmCallPlugin } from "../http/farm-call.ts";
import { readOnlyAsPlugin } from "../http/read-only-as.ts";
import { fleetPlugin } from "./routes.ts";

/** Create a display's grant. The token's text decides if the display may show the fleet. */
const displayOf = (token: string): DisplayGrant => ({
  id: token,
  name: "Control room",
  account: {
    account: { id: "root", username: "root", userType: "DISPLAY" },
    accountId: "root",
    expiresAt: 0,
  },
  farms: null,
  scope: "ack",
  mayFleet: token === WITH_FLEET,
});
const WITH_FLEET = `${DISPLAY_TOKEN_PREFIX}with-the-fleet`;
const WITHOUT = `${DISPLAY_TOKEN_PREFIX}without`;

let app: FastifyInstance;
let farm: FakeFarm;
const asked: { token: string; ids: readonly string[] }[] = [];

beforeEach(async () => {
  const clock = createFakeClock();
  farm = createFakeFarm(clock);
  farm.grant("admin", "root", undefined, "ADMIN");
  farm.grant("user", "a");
  asked.length = 0;
  app = Fastify();
  await app.register(errorsPlugin);
  await app.register(farmCallPlugin, { imagePrefixes: [] });
  await app.register(etag);
  await app.register(displayAuthGuardPlugin, {
    transport: { prove: async (token) => ({ ok: true, display: displayOf(token) }) },
  });
  await app.register(readOnlyAsPlugin, { ...farm, audit: { readAs: () => undefined } });
  await app.register(fleetPlugin, {
    fleet: {
      async beats(token, ids) {
        asked.push({ token, ids });
        const bars = Object.fromEntries(ids.map((id) => [id, "1".repeat(BEAT_SLOTS)]));
        return { from: "2026-11-19T03:30:00.000Z", slotMs: 1_800_000, beats: bars };
      },
    },
    storage: () => null,
    oddFields: () => [],
    prover: farm.prover,
    displays: { fleetToken: async ({ account }) => `own session of ${account.accountId}` },
    clock,
    timers: createFakeTimers(clock),
  });
  app.post("/relay/anything", async () => ({ done: true }));
});
afterEach(() => app.close());

const get = (ids: string, token: string, headers: Record<string, string> = {}) =>
  app.inject({
    url: `${relayPath.fleetBeats}?ids=${ids}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

test("[fleet] an administrator gets the bars of the requested devices, and 304 for a repeated request", async () => {
  const answer = await get("s1,s2,,s1", "admin");
  expect(answer.json()).toMatchObject({
    slotMs: 1_800_000,
    beats: { s1: "1".repeat(96), s2: "1".repeat(96) },
  });
  expect(asked).toEqual([{ token: "admin", ids: ["s1", "s2"] }]);
  const { etag } = answer.headers;
  expect((await get("s1,s2", "admin", { "if-none-match": String(etag) })).statusCode).toBe(304);
});

test("[HS-2] refuses a user's token with 403 and a missing one with 401, before it reads anything", async () => {
  const refused = await get("s1", "user");
  expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: "forbidden" }]);
  expect((await get("s1", "stolen")).statusCode).toBe(401);
  expect(asked).toEqual([]);
});

test("[HS-2] serves a display that may show the fleet with its account's session, and no other display", async () => {
  expect((await get("s1", WITH_FLEET)).json()).toMatchObject({ beats: { s1: "1".repeat(96) } });
  expect(asked).toEqual([{ token: "own session of root", ids: ["s1"] }]);
  const refused = await get("s1", WITHOUT);
  expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: "forbidden" }]);
  expect((await get("s1&as=a", WITH_FLEET)).statusCode).toBe(403);
  expect(asked).toHaveLength(1);
});

test("[fleet] refuses more than 500 devices at once", async () => {
  const ids = Array.from({ length: 501 }, (_, n) => `s${n}`).join(",");
  expect((await get(ids, "admin")).statusCode).toBe(422);
  expect((await get(ids.slice(0, ids.lastIndexOf(",")), "admin")).statusCode).toBe(200);
});

test("[HS-2] refuses a write that names another account, for every caller", async () => {
  const headers = { authorization: "Bearer admin" };
  const asOther = await app.inject({ method: "POST", url: "/relay/anything?x=1&as=a", headers });
  expect([asOther.statusCode, asOther.json()]).toMatchObject([403, { code: "forbidden" }]);
  expect((await app.inject({ method: "POST", url: "/relay/anything", headers })).statusCode).toBe(200);
});

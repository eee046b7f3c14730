import { apiPath } from "@mulkko/shared/rest/routes";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createSeal } from "../cluster/seal.ts";
import { createFakeUpstream } from "../testing/fake-upstream.ts";
import { createKeptLog } from "../testing/kept-log.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";
import { openSession, sealSession } from "./kept-session.ts";
import { createOwnSessions, sessionPairOf } from "./own-sessions.ts";

const SECRET = "a-secret-of-the-relay-0123456789";
const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
const status = (code: number, retryAfterMs: number | null = null) =>
  new UpstreamStatusError("no", code, "", retryAfterMs);

function rig(secret = SECRET) {
  const clock = createFakeClock();
  const client = createFakeUpstream();
  const kept = new Map<string, string>();
  const seal = createSeal(secret);
  const store = {
    away: false,
    owner: true,
    sessions: {
      get: async (id: string) => kept.get(id) ?? null,
      async put(id: string, sealed: string) {
        if (store.away) throw new Error("the store is away");
        kept.set(id, sealed);
      },
      drop: async (id: string) => void kept.delete(id),
    },
    shards: {
      owns: () => store.owner,
      owned: () => 256,
      nodes: () => 1,
      onChange: () => () => undefined,
      confirm: async () => store.owner,
      drain: async () => undefined,
    },
  };
  const ended: string[] = [];
  const api = { reachable: true };
  const create = () =>
    createOwnSessions({
      client,
      store,
      seal,
      clock,
      log: createKeptLog(),
      reachable: () => api.reachable,
      onEnded: (id) => void ended.push(id),
    });
  const sessions = create();
  const pair = (n: number) => ({ accessToken: `access-${n}`, refeshToken: `refresh-${n}` });
  const keptNow = () => openSession(createSeal(SECRET), kept.get("a") ?? "");
  const adopt = () => sessions.adopt("a", sessionPairOf(pair(1), clock.now()));
  const sent = () => client.calls.map(({ method, path, options }) => [method, path, options.headers]);
  return { clock, client, kept, store, api, ended, sessions, create, pair, keptNow, adopt, sent };
}

test("[CRED-1] what is kept is sealed, and its tokens can be read nowhere in it", async () => {
  const { adopt, kept, keptNow, sessions } = rig();
  await adopt();
  expect(kept.get("a")).not.toMatch(/access|refresh/);
  expect(Buffer.from(kept.get("a") ?? "", "base64url").toString("latin1")).not.toMatch(/access|refresh/);
  expect(keptNow()).toMatchObject({ kind: "pair", accessToken: "access-1", refreshToken: "refresh-1" });
  expect(await sessions.token("a")).toBe("access-1");
  expect(await sessions.token("b")).toBeNull();
});

test("[CRED-1] a session is refreshed ahead of its end, once for all who ask, and what came is kept", async () => {
  const { adopt, client, clock, keptNow, pair, sessions, sent } = rig();
  await adopt();
  client.answer(apiPath.refresh, { accessToken: "access-2", refreshToken: "refresh-2" });
  clock.advance(HALF_HOUR - MINUTE - 1);
  expect(await sessions.token("a")).toBe("access-1");
  clock.advance(1);
  expect(await Promise.all(["a", "a", "a"].map(sessions.token))).toEqual(Array(3).fill("access-2"));
  expect(sent()).toEqual([["PUT", apiPath.refresh, { refreshToken: "refresh-1" }]]);
  expect(keptNow()).toMatchObject({ accessToken: "access-2", refreshToken: "refresh-2" });
  client.answer(apiPath.refresh, pair(3));
  sessions.forget("a", "access-1");
  expect(await sessions.token("a")).toBe("access-2");
  sessions.forget("a", "access-2");
  expect(await sessions.token("a")).toBe("access-3");
  expect(sent()[1]).toEqual(["PUT", apiPath.refresh, { refreshToken: "refresh-2" }]);
});

test("[CRED-1] a refused refresh ends the session, and what is left in the store holds no token", async () => {
  for (const code of [400, 401, 403, 404]) {
    const { adopt, client, ended, keptNow, sessions } = rig();
    await adopt();
    client.answer(apiPath.refresh, status(code));
    sessions.forget("a", "access-1");
    expect(await sessions.token("a")).toBeNull();
    expect([sessions.has("a"), sessions.ended("a"), ended]).toEqual([false, "refused", ["a"]]);
    expect(keptNow()).toEqual({ kind: "ended", why: "refused" });
    expect(await sessions.token("a")).toBeNull();
    expect(client.calls).toHaveLength(1);
  }
});

test("[POLL-3] a refresh without an answer is tried again later and later, and as late as Retry-After says", async () => {
  const { adopt, api, client, clock, sessions } = rig();
  await adopt();
  clock.advance(HALF_HOUR - MINUTE);
  const lost = new UpstreamUnreachableError("away", "timeout", { mayHaveExecuted: true });
  client.answer(apiPath.refresh, lost);
  expect(await sessions.token("a")).toBe("access-1");
  expect(await sessions.token("a")).toBe("access-1");
  expect(client.calls).toHaveLength(1);
  clock.advance(5_000);
  client.answer(apiPath.refresh, status(429, 40_000));
  expect(await sessions.token("a")).toBe("access-1");
  clock.advance(39_999);
  expect(await sessions.token("a")).toBe("access-1");
  expect(client.calls).toHaveLength(2);
  clock.advance(MINUTE);
  api.reachable = false;
  await expect(sessions.token("a")).rejects.toMatchObject({ why: "not-asked" });
  expect(client.calls).toHaveLength(2);
  api.reachable = true;
  client.answer(apiPath.refresh, { accessToken: "access-2" });
  expect(await sessions.token("a")).toBe("access-2");
  expect(sessions.has("a")).toBe(true);
});

test("[NODE-5] who is not the owner any more refreshes nothing", async () => {
  const { adopt, client, sessions, store } = rig();
  await adopt();
  store.owner = false;
  sessions.forget("a", "access-1");
  expect(await sessions.token("a")).toBeNull();
  expect(client.calls).toHaveLength(0);
  expect(sessions.ended("a")).toBeNull();
});

test("[CRED-1] tokens that the owner before took at the last moment are used, not given up", async () => {
  const { adopt, client, clock, create, kept, pair, sessions } = rig();
  await adopt();
  const next = create();
  await next.load("a");
  const rotated = sessionPairOf(pair(2), clock.now());
  kept.set("a", sealSession(createSeal(SECRET), rotated));
  client.answer(apiPath.refresh, status(401));
  next.forget("a", "access-1");
  expect(await next.token("a")).toBe("access-2");
  expect([next.ended("a"), sessions.has("a")]).toEqual([null, true]);
});

test("[CRED-1] a login during a refresh counts, whatever the refresh brings", async () => {
  for (const outcome of ["answered", "refused"] as const) {
    const { adopt, client, clock, keptNow, pair, sessions } = rig();
    await adopt();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    client.answer(apiPath.refresh, promise);
    sessions.forget("a", "access-1");
    const asked = sessions.token("a");
    await sessions.adopt("a", sessionPairOf(pair(9), clock.now()));
    resolve(outcome === "answered" ? pair(2) : status(401));
    expect(await asked).toBeNull();
    expect([await sessions.token("a"), keptNow()]).toMatchObject(["access-9", { accessToken: "access-9" }]);
  }
});

test("[CRED-1] what was sealed with another secret is dropped, and says why", async () => {
  const { kept, keptNow, sessions, clock, pair } = rig();
  const other = createSeal("another-secret-0123456789-0123456789");
  kept.set("a", sealSession(other, sessionPairOf(pair(1), clock.now())));
  await sessions.load("a");
  expect([sessions.has("a"), sessions.ended("a")]).toEqual([false, "secret-lost"]);
  expect(keptNow()).toEqual({ kind: "ended", why: "secret-lost" });
});

test("[NODE-3] tokens that the store could not take are used, and kept when it is back", async () => {
  const { adopt, keptNow, sessions, store } = rig();
  store.away = true;
  await adopt();
  expect(await sessions.token("a")).toBe("access-1");
  await sessions.load("a");
  store.away = false;
  expect(await sessions.token("a")).toBe("access-1");
  expect(keptNow()).toMatchObject({ accessToken: "access-1" });
});

test("[CRED-1] a session without a refresh token lasts as long as its access token", async () => {
  const { clock, sessions, client } = rig();
  await sessions.adopt("a", sessionPairOf({ accessToken: "only" }, clock.now()));
  clock.advance(HALF_HOUR - 1);
  expect(await sessions.token("a")).toBe("only");
  clock.advance(1);
  expect(await sessions.token("a")).toBeNull();
  expect([sessions.ended("a"), client.calls.length]).toEqual(["refused", 0]);
});

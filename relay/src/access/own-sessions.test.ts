import { tokenRefresh } from "@mulkko/shared/rest/operations/account";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { Documents } from "../store/documents.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { OwnSessions, sessionPairOf } from "./own-sessions.ts";
import { createTokenCipher, encryptSession, openSession } from "./vault.ts";

const SECRET = "a-secret-of-the-relay-0123456789";
const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
const status = (code: number, retryAfterMs: number | null = null) =>
  new UpstreamStatusError("no", code, "", retryAfterMs);

function harness(secret = SECRET) {
  const clock = createFakeClock();
  const client = createFakeUpstream();
  const kept = new Map<string, string>();
  const cipher = createTokenCipher(secret);
  const store = {
    away: false,
    owner: true,
    documents: (id: string) =>
      new Documents(
        {
          get: async () => kept.get(id) ?? null,
          list: async () => [],
          async write(changes) {
            if (store.away) throw new Error("the store is away");
            for (const { text } of changes) {
              if (text === null) kept.delete(id);
              else kept.set(id, text);
            }
          },
        },
        "any-node",
      ),
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
    new OwnSessions({
      client,
      store,
      cipher,
      clock,
      upstreamClock: { offsetMs: 0 },
      log: createCapturedLog(),
      reachable: () => api.reachable,
      onEnded: (id) => void ended.push(id),
    });
  const sessions = create();
  const pair = (n: number) => ({ accessToken: `access-${n}`, refeshToken: `refresh-${n}` });
  const storedNow = () => openSession(createTokenCipher(SECRET), kept.get("a") ?? "");
  const adopt = () => sessions.adopt("a", sessionPairOf(pair(1), clock, { offsetMs: 0 }));
  const sent = () => client.calls.map(({ method, path, options }) => [method, path, options.headers]);
  return { clock, client, kept, store, api, ended, sessions, create, pair, storedNow, adopt, sent };
}

test("[CRED-1] a stored session is encrypted, and its tokens are nowhere readable", async () => {
  const { adopt, kept, storedNow, sessions } = harness();
  await adopt();
  expect(kept.get("a")).not.toMatch(/access|refresh/);
  expect(Buffer.from(kept.get("a") ?? "", "base64url").toString("latin1")).not.toMatch(/access|refresh/);
  expect(storedNow()).toMatchObject({ kind: "pair", accessToken: "access-1", refreshToken: "refresh-1" });
  expect(await sessions.token("a")).toBe("access-1");
  expect(await sessions.token("b")).toBeNull();
});

test("[CRED-1] a session is refreshed before its end, once for all callers, and the result is stored", async () => {
  const { adopt, client, clock, storedNow, pair, sessions, sent } = harness();
  await adopt();
  client.answer(tokenRefresh.path, { accessToken: "access-2", refreshToken: "refresh-2" });
  clock.advance(HALF_HOUR - MINUTE - 1);
  expect(await sessions.token("a")).toBe("access-1");
  clock.advance(1);
  expect(await Promise.all(["a", "a", "a"].map((id) => sessions.token(id)))).toEqual(
    Array(3).fill("access-2"),
  );
  expect(sent()).toEqual([["PUT", tokenRefresh.path, { refreshToken: "refresh-1" }]]);
  expect(storedNow()).toMatchObject({ accessToken: "access-2", refreshToken: "refresh-2" });
  client.answer(tokenRefresh.path, pair(3));
  sessions.forget("a", "access-1");
  expect(await sessions.token("a")).toBe("access-2");
  sessions.forget("a", "access-2");
  expect(await sessions.token("a")).toBe("access-3");
  expect(sent()[1]).toEqual(["PUT", tokenRefresh.path, { refreshToken: "refresh-2" }]);
});

test("[CRED-1] a refused refresh ends the session, and the store keeps no token", async () => {
  for (const code of [400, 401, 403, 422]) {
    const { adopt, client, ended, storedNow, sessions } = harness();
    await adopt();
    client.answer(tokenRefresh.path, status(code));
    sessions.forget("a", "access-1");
    expect(await sessions.token("a")).toBeNull();
    expect([sessions.has("a"), sessions.ended("a"), ended]).toEqual([false, "refused", ["a"]]);
    expect(storedNow()).toEqual({ kind: "ended", why: "refused" });
    expect(await sessions.token("a")).toBeNull();
    expect(client.calls).toHaveLength(1);
  }
});

test("[CRED-1] no other answer ends the session: it may come from a proxy, or from an API in maintenance", async () => {
  for (const code of [
    402, 404, 405, 406, 407, 408, 409, 410, 413, 415, 418, 421, 423, 425, 428, 429, 431, 451, 500, 503,
  ]) {
    const { adopt, client, clock, ended, storedNow, sessions } = harness();
    await adopt();
    clock.advance(HALF_HOUR - MINUTE);
    client.answer(tokenRefresh.path, status(code));
    expect(await sessions.token("a")).toBe("access-1");
    expect([sessions.has("a"), ended]).toEqual([true, []]);
    expect(storedNow()).toMatchObject({ refreshToken: "refresh-1" });
  }
});

test("[CRED-1] a refresh that is not found for ten minutes ends the session", async () => {
  for (const code of [404, 410]) {
    const { adopt, client, clock, ended, sessions } = harness();
    await adopt();
    clock.advance(HALF_HOUR - MINUTE);
    client.answer(tokenRefresh.path, status(code));
    await sessions.token("a");
    // An answer about something else starts the count again.
    clock.advance(5 * MINUTE);
    client.answer(tokenRefresh.path, status(503));
    await expect(sessions.token("a")).rejects.toMatchObject({ status: 503 });
    client.answer(tokenRefresh.path, status(code));
    for (let minutes = 0; minutes < 10; minutes += 5) {
      clock.advance(5 * MINUTE);
      await expect(sessions.token("a")).rejects.toMatchObject({ status: code });
    }
    expect(ended).toEqual([]);
    clock.advance(6 * MINUTE);
    expect(await sessions.token("a")).toBeNull();
    expect(ended).toEqual(["a"]);
  }
});

test("[POLL-3] a refresh without an answer is retried with growing delays, and not before Retry-After", async () => {
  const { adopt, api, client, clock, sessions } = harness();
  await adopt();
  clock.advance(HALF_HOUR - MINUTE);
  const lost = new UpstreamUnreachableError("away", "timeout", { mayHaveExecuted: true });
  client.answer(tokenRefresh.path, lost);
  expect(await sessions.token("a")).toBe("access-1");
  expect(await sessions.token("a")).toBe("access-1");
  expect(client.calls).toHaveLength(1);
  clock.advance(5_000);
  client.answer(tokenRefresh.path, status(429, 40_000));
  expect(await sessions.token("a")).toBe("access-1");
  clock.advance(39_999);
  expect(await sessions.token("a")).toBe("access-1");
  expect(client.calls).toHaveLength(2);
  clock.advance(MINUTE);
  api.reachable = false;
  await expect(sessions.token("a")).rejects.toMatchObject({ why: "not-asked" });
  expect(client.calls).toHaveLength(2);
  api.reachable = true;
  client.answer(tokenRefresh.path, { accessToken: "access-2" });
  expect(await sessions.token("a")).toBe("access-2");
  expect(sessions.has("a")).toBe(true);
});

test("[CRED-1] the pause after a refresh without an answer is as long as before where the clock is set back", async () => {
  const { adopt, client, clock, sessions } = harness();
  await adopt();
  sessions.forget("a", "access-1");
  client.answer(
    tokenRefresh.path,
    new UpstreamUnreachableError("away", "timeout", { mayHaveExecuted: true }),
  );
  await expect(sessions.token("a")).rejects.toMatchObject({ why: "timeout" });
  clock.jump(-60 * MINUTE);
  await expect(sessions.token("a")).rejects.toMatchObject({ why: "not-asked" });
  clock.advance(5_000);
  client.answer(tokenRefresh.path, { accessToken: "access-2" });
  expect(await sessions.token("a")).toBe("access-2");
});

test("[NODE-5] a former owner refreshes nothing", async () => {
  const { adopt, client, sessions, store } = harness();
  await adopt();
  store.owner = false;
  sessions.forget("a", "access-1");
  expect(await sessions.token("a")).toBeNull();
  expect(client.calls).toHaveLength(0);
  expect(sessions.ended("a")).toBeNull();
});

test("[CRED-1] tokens that the previous owner stored at the last moment are used, not discarded", async () => {
  const { adopt, client, clock, create, kept, pair, sessions } = harness();
  await adopt();
  const next = create();
  await next.load("a");
  const rotated = sessionPairOf(pair(2), clock, { offsetMs: 0 });
  kept.set("a", encryptSession(createTokenCipher(SECRET), rotated));
  client.answer(tokenRefresh.path, status(401));
  next.forget("a", "access-1");
  expect(await next.token("a")).toBe("access-2");
  expect([next.ended("a"), sessions.has("a")]).toEqual([null, true]);
});

test("[CRED-1] a login during a refresh wins, whatever the refresh returns", async () => {
  for (const outcome of ["answered", "refused"] as const) {
    const { adopt, client, clock, storedNow, pair, sessions } = harness();
    await adopt();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    client.answer(tokenRefresh.path, promise);
    sessions.forget("a", "access-1");
    const asked = sessions.token("a");
    await sessions.adopt("a", sessionPairOf(pair(9), clock, { offsetMs: 0 }));
    resolve(outcome === "answered" ? pair(2) : status(401));
    expect(await asked).toBeNull();
    expect([await sessions.token("a"), storedNow()]).toMatchObject(["access-9", { accessToken: "access-9" }]);
  }
});

test("[CRED-1] a session encrypted with another secret is dropped with its reason", async () => {
  const { kept, storedNow, sessions, clock, pair } = harness();
  const other = createTokenCipher("another-secret-0123456789-0123456789");
  kept.set("a", encryptSession(other, sessionPairOf(pair(1), clock, { offsetMs: 0 })));
  await sessions.load("a");
  expect([sessions.has("a"), sessions.ended("a")]).toEqual([false, "secret-lost"]);
  expect(storedNow()).toEqual({ kind: "ended", why: "secret-lost" });
});

test("[NODE-3] tokens that could not be stored are used, and stored when the store is back", async () => {
  const { adopt, storedNow, sessions, store } = harness();
  store.away = true;
  await adopt();
  expect(await sessions.token("a")).toBe("access-1");
  await sessions.load("a");
  store.away = false;
  expect(await sessions.token("a")).toBe("access-1");
  expect(storedNow()).toMatchObject({ accessToken: "access-1" });
});

test("[CRED-1] a session without a refresh token lasts as long as its access token", async () => {
  const { clock, sessions, client } = harness();
  await sessions.adopt("a", sessionPairOf({ accessToken: "only" }, clock, { offsetMs: 0 }));
  clock.advance(HALF_HOUR - 1);
  expect(await sessions.token("a")).toBe("only");
  clock.advance(1);
  expect(await sessions.token("a")).toBeNull();
  expect([sessions.ended("a"), client.calls.length]).toEqual(["refused", 0]);
});

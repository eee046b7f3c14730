import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { parse } from "@mulkko/shared/schema/parse";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { createMemoryPassing } from "../store/embedded/memory-passing.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { CachedProof, PROOFS, TokenProver } from "./token-prover.ts";

const MINUTE = 60_000;

function harness() {
  const clock = createFakeClock();
  const client = createFakeUpstream();
  client.answer(accountInfo.path, buildAccount());
  const upstreamClock = { offsetMs: 0 };
  const proofs = createMemoryPassing(clock.now)(PROOFS);
  const api = { receivesSessionEnds: true, reachable: true };
  const start = () =>
    new TokenProver({
      client,
      clock,
      upstreamClock,
      proofs,
      receivesSessionEnds: () => api.receivesSessionEnds,
      reachable: () => api.reachable,
      onError: (error) => {
        throw error;
      },
    });
  const prover = start();
  const jwt = (forMs: number): string => {
    const claims = Buffer.from(JSON.stringify({ exp: (clock.now() + forMs) / 1_000 })).toString("base64url");
    return `e30.${claims}.signature`;
  };
  return { clock, upstreamClock, client, prover, jwt, proofs, start, api };
}

test("[AUTH-3] a token is proven by one account/info, shared by all concurrent callers", async () => {
  const { client, prover } = harness();
  const proofs = await Promise.all([prover.prove("t1"), prover.prove("t1"), prover.prove("t1")]);
  expect(proofs.map((proof) => proof.ok)).toEqual([true, true, true]);
  expect(await prover.prove("t1")).toMatchObject({ ok: true, proven: { accountId: buildAccount().id } });
  expect(client.calls).toHaveLength(1);
  expect(client.calls[0]?.options.token).toBe("t1");
});

test("[AUTH-3] a proof is cached for 30 min at most, and not beyond the token's end", async () => {
  const { client, prover, clock, jwt } = harness();
  const long = jwt(600 * MINUTE);
  await prover.prove(long);
  clock.advance(29 * MINUTE);
  await prover.prove(long);
  expect(client.calls).toHaveLength(1);
  clock.advance(2 * MINUTE);
  await prover.prove(long);
  expect(client.calls).toHaveLength(2);
  const short = jwt(MINUTE);
  await prover.prove(short);
  clock.advance(MINUTE);
  expect(await prover.prove(short)).toEqual({ ok: false, failure: { kind: "rejected" } });
  expect(client.calls).toHaveLength(3);
});

test("[AUTH-1] a token's end is its exp, else 30 min from first sight", async () => {
  const { prover, clock, jwt } = harness();
  expect(await prover.prove(jwt(5 * MINUTE))).toMatchObject({
    proven: { expiresAt: clock.now() + 5 * MINUTE },
  });
  expect(await prover.prove("opaque")).toMatchObject({ proven: { expiresAt: clock.now() + 30 * MINUTE } });
});

test.each([-366 * 24 * 60, -90, -10, -1, 1, 10, 90, 366 * 24 * 60])(
  "[AUTH-1] the API's clock is %i min ahead of the relay's, and its tokens count until their end",
  async (minutes) => {
    const { prover, clock, upstreamClock, jwt } = harness();
    upstreamClock.offsetMs = minutes * MINUTE;
    const token = jwt(5 * MINUTE + upstreamClock.offsetMs);
    expect(await prover.prove(token)).toMatchObject({ proven: { expiresAt: clock.now() + 5 * MINUTE } });
    clock.advance(6 * MINUTE);
    expect(await prover.prove(token)).toEqual({ ok: false, failure: { kind: "rejected" } });
  },
);

test("[AUTH-3] after the clock was set back, an API that reports no ends is asked again", async () => {
  const { api, client, prover, clock } = harness();
  api.receivesSessionEnds = false;
  await prover.prove("t1");
  clock.jump(-60 * MINUTE);
  await prover.prove("t1");
  expect(client.calls).toHaveLength(2);
});

test.each([
  [new UpstreamStatusError("", 401, "unauthorized", null), "rejected"],
  [new UpstreamStatusError("", 403, "forbidden", null), "disabled"],
  [new UpstreamStatusError("", 503, "database-down", null), "upstream-down"],
  [new UpstreamUnreachableError("", "timeout", { mayHaveExecuted: false }), "upstream-down"],
])("[AUTH-4] %s is %s, and is not cached", async (error, kind) => {
  const { client, prover } = harness();
  client.answer(accountInfo.path, error);
  expect(await prover.prove("t1")).toEqual({ ok: false, failure: { kind } });
  client.answer(accountInfo.path, buildAccount());
  expect(await prover.prove("t1")).toMatchObject({ ok: true });
});

test("[AUTH-4] a rejected token is forgotten, and its sessions are notified", async () => {
  const { client, prover } = harness();
  const reported: string[] = [];
  prover.onRejected((token) => reported.push(token));
  await prover.prove("t1");
  prover.reject("t1");
  await prover.prove("t1");
  expect(reported).toEqual(["t1"]);
  expect(client.calls).toHaveLength(2);
});

test("[AUTH-3] a proof of one node is valid on other nodes, up to the same end", async () => {
  const { client, prover, clock, start } = harness();
  await prover.prove("t1");
  clock.advance(29 * MINUTE);
  const another = start();
  expect(await another.prove("t1")).toMatchObject({ ok: true });
  expect(client.calls).toHaveLength(1);
  clock.advance(2 * MINUTE);
  await another.prove("t1");
  expect(client.calls).toHaveLength(2);
});

test("[AUTH-4] a rejected token is not trusted by any other node", async () => {
  const { client, prover, start } = harness();
  await prover.prove("t1");
  prover.reject("t1");
  client.answer(accountInfo.path, new UpstreamStatusError("no", 401, "unauthorized", null));
  expect(await start().prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
});

test("[AUTH-3] an unavailable store, or an invalid entry, costs one call and nothing more", async () => {
  const { client, proofs, start } = harness();
  await start().prove("t1");
  proofs.get = async () => parse(CachedProof, { account: "another user" });
  expect(await start().prove("t1")).toMatchObject({ ok: true });
  expect(client.calls).toHaveLength(2);
});

test("[AUTH-4] after a doubt no token of the account is trusted without a request; other accounts' are", async () => {
  const { client, prover, start } = harness();
  await prover.prove("t1");
  const reported: string[] = [];
  prover.onDoubted((accountId) => reported.push(accountId));
  prover.doubt("another-user");
  await prover.prove("t1");
  expect(client.calls).toHaveLength(1);
  prover.doubt(String(buildAccount().id));
  client.answer(accountInfo.path, new UpstreamStatusError("no", 401, "unauthorized", null));
  expect(await prover.prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
  expect(await start().prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
  expect(reported).toEqual(["another-user", String(buildAccount().id)]);
});

test("[AUTH-4] an answer from before a doubt is not cached after it", async () => {
  const { client, prover } = harness();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  client.answer(accountInfo.path, promise);
  const proof = prover.prove("t1");
  await expect.poll(() => client.calls.length).toBe(1);
  prover.doubt(String(buildAccount().id));
  resolve(buildAccount());
  expect(await proof).toMatchObject({ ok: true });
  client.answer(accountInfo.path, new UpstreamStatusError("no", 403, "forbidden", null));
  expect(await prover.prove("t1")).toEqual({ ok: false, failure: { kind: "disabled" } });
});

test("[AUTH-4] a cached token is proven again on request, once for all concurrent callers", async () => {
  const { client, prover } = harness();
  await prover.prove("t1");
  await Promise.all([prover.proveAgain("t1"), prover.proveAgain("t1")]);
  expect(client.calls).toHaveLength(2);
  await prover.prove("t1");
  expect(client.calls).toHaveLength(2);
});

test("[AUTH-5] if the API does not report ended tokens, a proof is trusted for a minute", async () => {
  const { client, prover, clock, api, start } = harness();
  api.receivesSessionEnds = false;
  await prover.prove("t1");
  clock.advance(59_000);
  await prover.prove("t1");
  expect(client.calls).toHaveLength(1);
  clock.advance(1_000);
  await start().prove("t1");
  expect(client.calls).toHaveLength(2);
  const reported: string[] = [];
  prover.onRejected((token) => reported.push(token));
  client.answer(accountInfo.path, new UpstreamStatusError("no", 401, "unauthorized", null));
  expect(await prover.prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
  expect(reported).toEqual(["t1"]);
});

test("[AUTH-5] while the API is unavailable, a known token is accepted for urgent calls only, and no new one", async () => {
  const { client, prover, clock, api } = harness();
  await prover.prove("t1");
  api.receivesSessionEnds = false;
  clock.advance(120_000);
  const away = new UpstreamUnreachableError("", "timeout", { mayHaveExecuted: false });
  client.answer(accountInfo.path, away);
  const down = { ok: false, failure: { kind: "upstream-down" } };
  expect(await prover.prove("t1")).toMatchObject({ ok: true });
  expect(client.calls.at(-1)?.options.limits?.ms).toBe(2_000);
  expect(await prover.proveAgain("t1", true)).toMatchObject({ ok: true });
  expect(await prover.proveAgain("t1")).toEqual(down);
  expect(await prover.prove("t2")).toEqual(down);
  const { length } = client.calls;
  api.reachable = false;
  expect(await prover.prove("t1")).toMatchObject({ ok: true });
  expect(client.calls).toHaveLength(length);
  prover.doubt(String(buildAccount().id));
  expect(await prover.prove("t1")).toEqual(down);
});

test("[AUTH-5] a doubt also invalidates a proof that only the store has", async () => {
  const { client, prover, start } = harness();
  await prover.prove("t1");
  const another = start();
  another.doubt(String(buildAccount().id));
  client.answer(accountInfo.path, new UpstreamStatusError("no", 401, "unauthorized", null));
  expect(await another.prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
});

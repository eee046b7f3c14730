import { apiPath } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createProofs } from "../store/embedded/proofs.ts";
import { createFakeUpstream } from "../testing/fake-upstream.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";
import { createTokenProver } from "./token-prover.ts";

const MINUTE = 60_000;

function rig() {
  const clock = createFakeClock();
  const client = createFakeUpstream();
  client.answer(apiPath.accountInfo, buildAccount());
  const proofs = createProofs(clock.now);
  const start = () =>
    createTokenProver({
      client,
      clock,
      proofs,
      onError: (error) => {
        throw error;
      },
    });
  const prover = start();
  const jwt = (forMs: number): string => {
    const claims = Buffer.from(JSON.stringify({ exp: (clock.now() + forMs) / 1_000 })).toString("base64url");
    return `e30.${claims}.signature`;
  };
  return { clock, client, prover, jwt, proofs, start };
}

test("[AUTH-3] a token is proven by one account/info, shared by all who ask meanwhile", async () => {
  const { client, prover } = rig();
  const proofs = await Promise.all([prover.prove("t1"), prover.prove("t1"), prover.prove("t1")]);
  expect(proofs.map((proof) => proof.ok)).toEqual([true, true, true]);
  expect(await prover.prove("t1")).toMatchObject({ ok: true, proven: { accountId: buildAccount().id } });
  expect(client.calls).toHaveLength(1);
  expect(client.calls[0]?.options.token).toBe("t1");
});

test("[AUTH-3] a proof is remembered for 30 min at most, and not beyond the token's end", async () => {
  const { client, prover, clock, jwt } = rig();
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
  const { prover, clock, jwt } = rig();
  expect(await prover.prove(jwt(5 * MINUTE))).toMatchObject({
    proven: { expiresAt: clock.now() + 5 * MINUTE },
  });
  expect(await prover.prove("opaque")).toMatchObject({ proven: { expiresAt: clock.now() + 30 * MINUTE } });
});

test.each([
  [new UpstreamStatusError("", 401, "unauthorized", null), "rejected"],
  [new UpstreamStatusError("", 403, "forbidden", null), "disabled"],
  [new UpstreamStatusError("", 503, "database-down", null), "upstream-down"],
  [new UpstreamUnreachableError("", "timeout", { mayHaveExecuted: false }), "upstream-down"],
])("[AUTH-4] %s is %s, and is not remembered", async (error, kind) => {
  const { client, prover } = rig();
  client.answer(apiPath.accountInfo, error);
  expect(await prover.prove("t1")).toEqual({ ok: false, failure: { kind } });
  client.answer(apiPath.accountInfo, buildAccount());
  expect(await prover.prove("t1")).toMatchObject({ ok: true });
});

test("[AUTH-4] a rejected token is forgotten, and its sessions are told", async () => {
  const { client, prover } = rig();
  const told: string[] = [];
  prover.onRejected((token) => told.push(token));
  await prover.prove("t1");
  prover.reject("t1");
  await prover.prove("t1");
  expect(told).toEqual(["t1"]);
  expect(client.calls).toHaveLength(2);
});

test("[AUTH-3] what one node has proven another believes, up to the same end", async () => {
  const { client, prover, clock, start } = rig();
  await prover.prove("t1");
  clock.advance(29 * MINUTE);
  const another = start();
  expect(await another.prove("t1")).toMatchObject({ ok: true });
  expect(client.calls).toHaveLength(1);
  clock.advance(2 * MINUTE);
  await another.prove("t1");
  expect(client.calls).toHaveLength(2);
});

test("[AUTH-4] a token that was turned away is believed by no other node", async () => {
  const { client, prover, start } = rig();
  await prover.prove("t1");
  prover.reject("t1");
  client.answer(apiPath.accountInfo, new UpstreamStatusError("no", 401, "unauthorized", null));
  expect(await start().prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
});

test("[AUTH-3] a store that is away, or keeps something else, costs a call and nothing more", async () => {
  const { client, proofs, start } = rig();
  await start().prove("t1");
  proofs.get = async () => ({ account: "somebody else" });
  expect(await start().prove("t1")).toMatchObject({ ok: true });
  expect(client.calls).toHaveLength(2);
});

test("[AUTH-4] after a doubt no token of the account is believed unasked, of another account they are", async () => {
  const { client, prover, start } = rig();
  await prover.prove("t1");
  const told: string[] = [];
  prover.onDoubted((accountId) => told.push(accountId));
  prover.doubt("somebody-else");
  await prover.prove("t1");
  expect(client.calls).toHaveLength(1);
  prover.doubt(String(buildAccount().id));
  client.answer(apiPath.accountInfo, new UpstreamStatusError("no", 401, "unauthorized", null));
  expect(await prover.prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
  expect(await start().prove("t1")).toEqual({ ok: false, failure: { kind: "rejected" } });
  expect(told).toEqual(["somebody-else", String(buildAccount().id)]);
});

test("[AUTH-4] what the API said before a doubt is not remembered after it", async () => {
  const { client, prover } = rig();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  client.answer(apiPath.accountInfo, promise);
  const proof = prover.prove("t1");
  await expect.poll(() => client.calls.length).toBe(1);
  prover.doubt(String(buildAccount().id));
  resolve(buildAccount());
  expect(await proof).toMatchObject({ ok: true });
  client.answer(apiPath.accountInfo, new UpstreamStatusError("no", 403, "forbidden", null));
  expect(await prover.prove("t1")).toEqual({ ok: false, failure: { kind: "disabled" } });
});

test("[AUTH-4] a token is asked about again though it is remembered, once for all who ask", async () => {
  const { client, prover } = rig();
  await prover.prove("t1");
  await Promise.all([prover.proveAgain("t1"), prover.proveAgain("t1")]);
  expect(client.calls).toHaveLength(2);
  await prover.prove("t1");
  expect(client.calls).toHaveLength(2);
});

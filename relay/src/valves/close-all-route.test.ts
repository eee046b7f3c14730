import { relayPath } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import type { FastifyInstance } from "fastify";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TokenProofs } from "../access/token-prover.ts";
import { errorsPlugin } from "../http/errors.ts";
import { closeAllPlugin } from "./close-all-route.ts";
import type { CloseAllOutcome, CloseAllRequest, CommandLogQuery } from "./commands.ts";
import type { ValveService } from "./valves.ts";

const BEARER = { authorization: "Bearer token-a" };

describe("close-all and the command log", () => {
  let relay: FastifyInstance;
  let asked: CloseAllRequest[];
  let queries: CommandLogQuery[];
  let outcome: CloseAllOutcome;
  let known: boolean;
  const service: ValveService = {
    command: async () => ({ ok: false, status: 404, code: "not-found", message: "" }),
    withdraw: async () => ({ ok: false, status: 404, code: "not-found", message: "" }),
    async closeAll(request) {
      asked.push(request);
      return outcome;
    },
    async commands(query) {
      queries.push(query);
      return known ? [] : null;
    },
    waterings: async () => ({ waterings: [], watchedSince: null }),
    report: () => undefined,
    received: () => undefined,
    credentialLent: () => undefined,
    gone: () => undefined,
    close: () => undefined,
  };
  const prover: TokenProofs = {
    async prove(token) {
      if (token !== "token-a") return { ok: false, failure: { kind: "rejected" } };
      return { ok: true, proven: { account: buildAccount(), accountId: "u1", expiresAt: 1_000 } };
    },
    proveAgain: (token) => prover.prove(token),
  };

  beforeEach(async () => {
    asked = [];
    queries = [];
    known = true;
    const channel = {
      channelId: "11",
      controllerId: "c1",
      number: 1,
      commandId: "all-1",
      state: "accepted",
      reason: null,
      activeMode: "automatic",
    } as const;
    outcome = { ok: true, jobId: "mine-1", channels: [channel] };
    relay = fastify();
    await relay.register(errorsPlugin);
    const clock = createFakeClock();
    await relay.register(closeAllPlugin, {
      owners: { service: async () => service, written: () => undefined },
      prover,
      clock,
      timers: createFakeTimers(clock),
      newId: () => "made-1",
    });
  });
  afterEach(() => relay.close());

  test("[CMD-17] passes the earliest time of the press on, and refuses one that cannot be read", async () => {
    const post = (headers: Record<string, string>) =>
      relay.inject({
        method: "POST",
        url: "/relay/farms/7/close-all",
        headers: { authorization: "Bearer token-a", ...headers },
      });
    const at = "2026-11-21T02:59:00.000Z";
    await post({ "x-pressed-at": at, "x-pressed-within-ms": "40" });
    expect(asked[0]).toMatchObject({ pressedAt: Date.parse(at) - 40 });
    expect((await post({ "x-pressed-at": "yesterday" })).statusCode).toBe(400);
  });

  test("[CMD-8] refuses a command that was pressed in another account", async () => {
    const post = (forAccount: string) =>
      relay.inject({
        method: "POST",
        url: "/relay/farms/all/close-all",
        headers: { authorization: "Bearer token-a", "x-for-account": forAccount },
      });
    expect((await post("u2")).json()).toMatchObject({ status: 409, code: "other-account" });
    expect(asked).toEqual([]);
    expect((await post("u1")).statusCode).toBe(200);
  });

  test("[RUN-5] reaches the account's service with the farm, the caller and the caller's id", async () => {
    const answer = await relay.inject({
      method: "POST",
      url: relayPath.closeAll(7),
      headers: { ...BEARER, "idempotency-key": "mine-1", "sec-fetch-mode": "cors" },
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { jobId: "mine-1", channels: [{ channelId: "11", state: "accepted", activeMode: "automatic" }] },
    ]);
    expect(asked).toMatchObject([
      { jobId: "mine-1", farmId: "7", token: "token-a", by: { nickname: "Kim" }, origin: "screen" },
    ]);
  });

  test("[RUN-5] for `all` covers every channel of the account, under a generated id", async () => {
    await relay.inject({ method: "POST", url: relayPath.closeAll("all"), headers: BEARER });
    expect(asked).toMatchObject([{ jobId: "made-1", farmId: null, origin: "api" }]);
  });

  test("[RUN-5] another account's farm is 404, and an unknown caller is 401", async () => {
    outcome = { ok: false, status: 404, code: "not-found", message: "no such channel" };
    const url = relayPath.closeAll("of-somebody");
    const unknown = await relay.inject({ method: "POST", url, headers: BEARER });
    expect(unknown.json()).toMatchObject({ status: 404, code: "not-found" });
    expect((await relay.inject({ method: "POST", url })).statusCode).toBe(401);
    expect(asked).toHaveLength(1);
  });

  test("[CMD-9] the log is filtered by farm, channel and time, and an invalid time is refused", async () => {
    const get = (query: string) =>
      relay.inject({ method: "GET", url: `${relayPath.commands}${query}`, headers: BEARER });
    const from = "2026-11-21T00:00:00.000Z";
    expect((await get(`?farm=7&channel=11&from=${from}`)).json()).toEqual({ commands: [] });
    expect(queries).toEqual([{ farmId: "7", channelId: "11", from: Date.parse(from) }]);
    expect((await get("?from=yesterday")).statusCode).toBe(422);
    known = false;
    expect((await get("?farm=9")).statusCode).toBe(404);
  });
});

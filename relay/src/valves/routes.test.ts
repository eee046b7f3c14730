import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import type { FastifyInstance } from "fastify";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TokenProofs } from "../access/token-prover.ts";
import { errorsPlugin } from "../http/errors.ts";
import type { CommandOutcome, CommandRequest } from "./commands.ts";
import { type CommandOptions, commandsPlugin } from "./routes.ts";
import type { ValveService } from "./valves.ts";

const BODY = { uuid: "c1", command: "onoff", deviceType: "controller", channel: 1, payload: 1 };
const BEARER = { authorization: "Bearer token-a" };

describe("the cmd calls", () => {
  let relay: FastifyInstance;
  let asked: CommandRequest[];
  let withdrawn: CommandRequest[];
  let written: string[];
  /** ms between a request's arrival and its reading. */
  let waitedMs: number;
  let outcome: CommandOutcome;
  let clock: FakeClock;
  let timers: FakeTimers;
  let reached: Promise<void>;

  const service: ValveService = {
    async command(request) {
      asked.push(request);
      return outcome;
    },
    report: () => undefined,
    async withdraw(opening) {
      withdrawn.push(opening);
      return outcome;
    },
    closeAll: async () => ({ ok: true, jobId: "job", channels: [] }),
    commands: async () => [],
    received: () => undefined,
    credentialLent: () => undefined,
    gone: () => undefined,
    waterings: async () => ({ waterings: [], watchedSince: null }),
    close: () => undefined,
  };
  const owners: CommandOptions["owners"] = {
    service: async () => {
      await reached;
      return service;
    },
    written: (accountId, path) => void written.push(`${accountId} ${path}`),
  };
  const prover: TokenProofs = {
    async prove(token) {
      if (token === "token-disabled") return { ok: false, failure: { kind: "disabled" } };
      if (token === "token-later") return { ok: false, failure: { kind: "upstream-down" } };
      if (token !== "token-a") return { ok: false, failure: { kind: "rejected" } };
      return { ok: true, proven: { account: buildAccount(), accountId: "u1", expiresAt: 1_000 } };
    },
    proveAgain: (token) => prover.prove(token),
  };
  const call = (
    body: object | string,
    headers: Record<string, string> = {},
    url: string = controllerCommand.path,
  ) => relay.inject({ method: "POST", url, headers: { ...BEARER, ...headers }, payload: body });

  beforeEach(async () => {
    asked = [];
    withdrawn = [];
    waitedMs = 0;
    clock = createFakeClock();
    timers = createFakeTimers(clock);
    reached = Promise.resolve();
    written = [];
    outcome = {
      ok: true,
      record: { commandId: "made-1", state: "accepted", target: 1, until: null },
    };
    relay = fastify();
    await relay.register(errorsPlugin);
    const arrivals = { of: () => clock.monotonic() - waitedMs };
    await relay.register(commandsPlugin, { owners, prover, clock, timers, arrivals, newId: () => "made-1" });
  });
  afterEach(() => relay.close());

  test("[CMD-7] reach the account's service with the caller's id, name and token", async () => {
    const answer = await call(BODY, { "idempotency-key": "mine-1", "sec-fetch-mode": "cors" });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { commandId: "made-1", state: "accepted", target: 1, until: null },
    ]);
    expect(asked).toMatchObject([
      {
        commandId: "mine-1",
        controllerId: "c1",
        number: 1,
        target: 1,
        form: "controller",
        token: "token-a",
        tokenEndsAt: 1_000,
        by: { nickname: "Kim" },
        origin: "screen",
      },
    ]);
  });

  test("[CMD-7] report within five seconds that nothing was done if the account cannot be reached", async () => {
    let reach = (): void => undefined;
    reached = new Promise((done) => {
      reach = done;
    });
    const answer = call({ ...BODY, payload: 2 });
    while (timers.pending === 0) await new Promise(setImmediate);
    timers.advance(4_500);
    expect((await answer).json()).toMatchObject({ status: 503, code: "upstream-down" });
    reach();
    await new Promise(setImmediate);
    expect(asked).toEqual([]);
  });

  test("[CMD-7] leave the rest of the five seconds to the service", async () => {
    let reach = (): void => undefined;
    reached = new Promise((done) => {
      reach = done;
    });
    const answer = call(BODY);
    while (timers.pending === 0) await new Promise(setImmediate);
    timers.advance(2_000);
    reach();
    await answer;
    expect(asked).toMatchObject([{ answerWithinMs: 2_500 }]);
  });

  test("[CMD-7] get a generated id if the caller sent none", async () => {
    await call(BODY);
    expect(asked).toMatchObject([{ commandId: "made-1", origin: "api" }]);
  });

  test("[CMD-10] count from the earliest press time that a client states", async () => {
    const pressedAt = new Date(clock.now() - 8_000).toISOString();
    await call({ ...BODY, pressedAt, pressedWithinMs: 500 });
    await call(`uuid=c1&command=onoff&channel=1&payload=1&pressedWithinMs=20&pressedAt=${pressedAt}`, {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(asked.map((request) => clock.now() - (request.pressedAt ?? 0))).toEqual([8_500, 8_020]);
  });

  test("[CMD-10] count from their first byte without a press time, or with one after it", async () => {
    waitedMs = 3_000;
    await call(BODY);
    await call({ ...BODY, pressedAt: new Date(clock.now() + 3_600_000).toISOString() });
    expect(asked.map((request) => clock.now() - (request.pressedAt ?? 0))).toEqual([3_000, 3_000]);
    expect((await call({ ...BODY, pressedAt: "yesterday" })).statusCode).toBe(422);
  });

  test("[CMD-12] withdraw an opening under its own id, and nothing but an opening", async () => {
    const withdraw = (body: object) => call(body, {}, relayPath.withdrawCommand("mine-1"));
    expect((await withdraw({ ...BODY, maxRunSeconds: 60 })).statusCode).toBe(200);
    expect((await withdraw({ ...BODY, payload: 2 })).statusCode).toBe(422);
    expect(withdrawn).toMatchObject([
      { commandId: "mine-1", controllerId: "c1", number: 1, target: 1, maxRunSeconds: 60, token: "token-a" },
    ]);
    expect(asked).toEqual([]);
  });

  test("[command] are accepted in the legacy form, and as a form body", async () => {
    await call("uuid=c1&command=onoff&channel=2&payload=2", {
      "content-type": "application/x-www-form-urlencoded",
    });
    await call({ ...BODY, maxRunSeconds: 60 }, {}, sensorCommand.path);
    expect(asked).toMatchObject([
      { number: 2, target: 2, form: "controller" },
      { form: "sensor", maxRunSeconds: 60 },
    ]);
  });

  test("[POLL-8] that reset a mode make the owner's lists due", async () => {
    await call({ ...BODY, command: "automatic/reset" });
    expect(asked).toMatchObject([{ target: null, command: "automatic/reset" }]);
    expect(written).toEqual([`u1 ${controllerCommand.path}`]);
  });

  test("[RUN-1] above the cap are 422 run-too-long", async () => {
    for (const maxRunSeconds of [86_401, 1_000_000]) {
      const answer = await call({ ...BODY, maxRunSeconds });
      expect([answer.statusCode, answer.json().code]).toEqual([422, "run-too-long"]);
    }
    expect(asked).toEqual([]);
    expect((await call({ ...BODY, maxRunSeconds: 43_200 })).statusCode).toBe(200);
    expect(asked).toMatchObject([{ maxRunSeconds: 43_200 }]);
  });

  test.each([
    [{ ...BODY, payload: 3 }, "payload"],
    [{ ...BODY, channel: 9 }, "channel"],
    [{ ...BODY, uuid: undefined }, "body"],
    [{ ...BODY, maxRunSeconds: 0 }, "maxRunSeconds"],
    [[], "body"],
  ])("[command] %j is 422 and names %s", async (body, field) => {
    const answer = await call(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: "validation", errors: [{ field }] });
  });

  test("[command] with invalid JSON, excess length or a malformed id are refused", async () => {
    expect((await call("{", { "content-type": "application/json" })).statusCode).toBe(400);
    expect((await call({ ...BODY, filler: "x".repeat(20_000) })).statusCode).toBe(413);
    expect((await call(BODY, { "idempotency-key": "x".repeat(65) })).json()).toMatchObject({
      status: 400,
      code: "malformed",
    });
    expect(asked).toEqual([]);
  });

  test.each([
    ["Bearer token-b", 401, "unauthorized"],
    ["Bearer token-disabled", 403, "account-disabled"],
    ["Bearer token-later", 503, "upstream-down"],
    ["", 401, "unauthorized"],
  ])("[command] by %s is %i", async (authorization, status, code) => {
    const answer = await call(BODY, { authorization });
    expect(answer.json()).toMatchObject({ status, code });
    expect(asked).toEqual([]);
  });

  test("[CMD-3] refused by the service are answered in the contract's shape", async () => {
    outcome = { ok: false, status: 409, code: "controller-offline", message: "offline" };
    const answer = await call(BODY);
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { status: 409, error: "Conflict", code: "controller-offline", message: "offline" },
    ]);
  });
});

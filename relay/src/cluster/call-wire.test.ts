import { parse } from "@mulkko/shared/schema/parse";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { createTokenCipher } from "../access/vault.ts";
import { ALARM_CALLS } from "../alarms/alarm-calls.ts";
import type { OwnerCall } from "../runtime/owner-call.ts";
import { SETTINGS_CALLS } from "../settings/settings-calls.ts";
import { VALVE_CALLS } from "../valves/commands.ts";
import { readReply, readRequest, sentCall, sentReply } from "./call-wire.ts";
import { ACCOUNT_CALLS, FLEET_CALLS } from "./messages.ts";

const cipher = createTokenCipher("secret of the relays");
const TABLES = { VALVE_CALLS, ALARM_CALLS, SETTINGS_CALLS, ACCOUNT_CALLS, FLEET_CALLS };
const CALLS = Object.values(TABLES).flatMap((calls): OwnerCall[] => Object.values(calls));

/** A call with everything that a row may have. */
const FULL = {
  wire: "full",
  request: Type.Object({
    token: Type.Optional(Type.String()),
    answerWithinMs: Type.Optional(Type.Number()),
    count: Type.Integer(),
  }),
  reply: Type.Object({ all: Type.Array(Type.Integer()), since: Type.Integer() }),
  withinMs: 3_000,
  secret: ["token"],
  earlier: {
    since: { named: true },
    reply: Type.Array(Type.Integer()),
    write: ({ all }: { all: number[] }) => all,
    read: (all: number[]) => ({ all, since: 0 }),
  },
} satisfies OwnerCall;

describe("calls between nodes", () => {
  test("[NODE-6] have names of their own", () => {
    const names = CALLS.map(({ wire }) => wire);
    expect(new Set(names).size).toBe(names.length);
  });

  test("[NODE-5] carry no token that is not encrypted", () => {
    const withTokens = CALLS.filter(({ request }) => "token" in request.properties);
    expect(withTokens.length).toBeGreaterThan(0);
    expect(withTokens.filter(({ secret }) => !secret?.includes("token"))).toEqual([]);
  });

  test("[NODE-5] arrive as they were made, with texts that only relays can read, and less time", () => {
    const asked = fc.record(
      {
        token: fc.string({ minLength: 8 }),
        answerWithinMs: fc.integer({ min: 0, max: 60_000 }),
        count: fc.integer(),
      },
      { requiredKeys: ["count"] },
    );
    fc.assert(
      fc.property(asked, (request) => {
        const { sent, withinMs } = sentCall(FULL, request, cipher);
        if (request.token !== undefined) expect(JSON.stringify(sent)).not.toContain(request.token);
        expect(withinMs).toBe(request.answerWithinMs ?? FULL.withinMs);
        const read = readRequest(FULL, JSON.parse(JSON.stringify(sent)), cipher);
        expect(read).toMatchObject({
          ok: true,
          value: request.token === undefined ? {} : { token: request.token },
        });
        if (!read.ok) return;
        expect(read.value.count).toBe(request.count);
        expect(read.value.answerWithinMs).toBe(Math.max(500, withinMs - 500));
      }),
    );
  });

  test("[NODE-6] are answered in the form of the relay that asked, and read in either", () => {
    const reply = { all: [3, 1], since: 7 };
    const { sent } = sentCall(FULL, { count: 1 }, cipher);
    const today = readRequest(FULL, sent, cipher);
    expect(today.ok && sentReply(FULL, today.value, reply, cipher)).toEqual(reply);
    const before = readRequest(FULL, { do: "full", ...{ count: 1 } }, cipher);
    expect(before.ok && sentReply(FULL, before.value, reply, cipher)).toEqual([3, 1]);
    expect(readReply(FULL, reply, cipher)).toEqual(reply);
    expect(readReply(FULL, [3, 1], cipher)).toEqual({ all: [3, 1], since: 0 });
    expect(() => readReply(FULL, "rubbish", cipher)).toThrow("another node's answer");
  });

  test("[NODE-5] with a secret answer are answered encrypted", () => {
    const answer = sentReply(ACCOUNT_CALLS.ownToken, {}, "token-of-the-relay", cipher);
    expect(answer).not.toContain("token-of-the-relay");
    expect(readReply(ACCOUNT_CALLS.ownToken, answer, cipher)).toBe("token-of-the-relay");
    expect(() => readReply(ACCOUNT_CALLS.ownToken, answer, createTokenCipher("another"))).toThrow(
      "RELAY_SECRET",
    );
  });

  test("[NODE-5] of rubbish are not read", () => {
    fc.assert(
      fc.property(fc.constantFrom(...CALLS), fc.dictionary(fc.string(), fc.jsonValue()), (call, rubbish) => {
        const read = readRequest(call, { ...rubbish, do: call.wire }, cipher);
        if (read.ok) expect(parse(call.request, read.value).ok).toBe(true);
      }),
    );
  });
});

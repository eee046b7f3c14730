import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import type { ReceivedMessage } from "../account/mqtt.ts";
import { accessChangeOf, endStale, endStaleSince } from "./end-stale.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");

/** Report a change and return the relay's reaction. */
function doneFor(change: Parameters<typeof endStale>[0], isPolled = false): string[] {
  const done: string[] = [];
  endStale(change, {
    clock: createFakeClock(NOW),
    isPolled: () => isPolled,
    prover: { doubt: (accountId) => void done.push(`doubt ${accountId}`) },
    displays: {
      revokeOf: (accountId) => void done.push(`revoke ${accountId}`),
      revokePairedBefore: (times) => {
        for (const [id, before] of times) done.push(`revoke ${id} before ${(NOW - before) / 1_000} s`);
      },
    },
    watch: {
      request: async (accountId, action) => {
        done.push(`${action} ${accountId}`);
        return { by: "nobody", ended: null, mayStart: false };
      },
    },
    onError: (error) => void done.push(`${error}`),
  });
  return done;
}

/** Run a message of the farm API about account `u1` and return the relay's reaction. */
function doneBy(
  body: string,
  topic: ReceivedMessage["topic"] = { kind: "changed", userId: "u1" },
  isPolled = false,
): string[] {
  const change = accessChangeOf({ topic, payload: Buffer.from(body), arrivedAt: 0 });
  return change === null ? [] : doneFor(change, isPolled);
}

test("[AUTH-4] checks an account changed outside the relay, and ends its displays after another password", () => {
  expect(doneBy('{"entity":"account","id":"u1"}')).toEqual(["doubt u1"]);
  expect(doneBy('{"entity":"password","id":"u1"}')).toEqual(["doubt u1", "revoke u1", "password-changed u1"]);
  expect(doneBy('{"entity":"sensor","id":"s1"}')).toEqual([]);
  expect(doneBy("nonsense")).toEqual([]);
  expect(doneBy('{"entity":"account","id":"u1"}', { kind: "noti", userId: "u1" })).toEqual([]);
});

test("[AUTH-4] a late report of another password leaves the displays that were paired after it", () => {
  const password = { accountId: "u1", entity: "password" } as const;
  expect(doneFor({ ...password, ageMs: 15_000 })).toEqual(["doubt u1", "revoke u1", "password-changed u1"]);
  expect(doneFor({ ...password, ageMs: 186_000 })).toEqual([
    "doubt u1",
    "revoke u1 before 186 s",
    "password-changed u1",
  ]);
  // A message has no time: the poll names it.
  const message = '{"entity":"password","id":"u1"}';
  expect(doneBy(message, undefined, true)).toEqual(["doubt u1", "password-changed u1"]);
});

test("[AUTH-5] doubts the last half hour at the first message, and ends displays from before a password", () => {
  const done: string[] = [];
  const change = (userId: string, entity: "account" | "password", at: string) =>
    ({ userId, entity, at: `2026-11-21T${at}:00.000Z` }) as const;
  endStaleSince(
    {
      at: "2026-11-21T12:00:00.000Z",
      changes: [
        change("u1", "account", "11:31"),
        change("u2", "account", "11:29"),
        change("u3", "password", "08:00"),
        // Of before the farm API's clock was set back.
        change("u4", "password", "12:30"),
      ],
    },
    // The farm API's clock is two hours ahead.
    NOW,
    {
      prover: { doubt: (accountId) => void done.push(`doubt ${accountId}`) },
      displays: {
        revokePairedBefore: (times) => {
          for (const [id, before] of times) done.push(`revoke ${id} ${new Date(before).toISOString()}`);
        },
      },
    },
  );
  expect(done).toEqual([
    "doubt u1",
    "doubt u4",
    "revoke u3 2026-11-21T06:00:00.000Z",
    "revoke u4 2026-11-21T12:30:00.000Z",
  ]);
});

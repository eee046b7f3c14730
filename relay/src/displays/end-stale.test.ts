import { expect, test } from "vitest";
import type { HeardMessage } from "../owner/owner.ts";
import { endStale } from "./end-stale.ts";

/** Run a message of the farm API about account `u1` and return the relay's reaction. */
function doneBy(body: string, topic: HeardMessage["topic"] = { kind: "changed", userId: "u1" }): string[] {
  const done: string[] = [];
  endStale(
    { topic, payload: Buffer.from(body), arrivedAt: 0 },
    {
      prover: { doubt: (accountId) => void done.push(`doubt ${accountId}`) },
      displays: { revokeOf: (accountId) => void done.push(`revoke ${accountId}`) },
      watch: {
        wish: async (accountId, wish) => {
          done.push(`${wish} ${accountId}`);
          return { by: "nobody", ended: null, mayStart: false };
        },
      },
      onError: (error) => void done.push(`${error}`),
    },
  );
  return done;
}

test("[AUTH-4] an account that was changed past the relay is asked about, and another password ends its displays", () => {
  expect(doneBy('{"entity":"account","id":"u1"}')).toEqual(["doubt u1"]);
  expect(doneBy('{"entity":"password","id":"u1"}')).toEqual(["doubt u1", "revoke u1", "password-changed u1"]);
  expect(doneBy('{"entity":"sensor","id":"s1"}')).toEqual([]);
  expect(doneBy("nonsense")).toEqual([]);
  expect(doneBy('{"entity":"account","id":"u1"}', { kind: "noti", userId: "u1" })).toEqual([]);
});

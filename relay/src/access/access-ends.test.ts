import type { AccessChanges } from "@mulkko/shared/rest/access-changes";
import { relayAccess } from "@mulkko/shared/rest/operations/relay-calls";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { createRecordedEnds, describeEnd } from "../../testing/recorded-ends.ts";
import { UpstreamUnreachableError } from "../upstream/errors.ts";
import { createRelayKey } from "../upstream/relay-key.ts";
import { AccessEnds } from "./access-ends.ts";

type Change = readonly [userId: string, at: string, entity?: "account" | "password"];

/** Return an answer of 2026-11-21T05:… */
const answer = (at: string, ...changes: Change[]): AccessChanges => ({
  at: `2026-11-21T05:${at}.000Z`,
  changes: changes.map(([userId, changedAt, entity = "account"]) => ({
    userId,
    entity,
    at: `2026-11-21T05:${changedAt}.000Z`,
  })),
});

const NOW = Date.parse("2026-11-21T10:00:00.000Z");

function poll(has = true, key: string | null = "0123456789abcdef") {
  const clock = createFakeClock(NOW);
  const timers = createFakeTimers(clock);
  const client = createFakeUpstream();
  const ends = new AccessEnds({
    client,
    relayKey: createRelayKey(key ?? undefined, { has: () => has }),
    clock,
    timers,
    log: createCapturedLog(),
  });
  const seen: string[] = [];
  ends.onEnd((end) => {
    const isTimed = end.kind === "password" && Number.isFinite(end.pairedBefore);
    const before = isTimed ? ` before ${(clock.now() - end.pairedBefore) / 1_000} s` : "";
    seen.push(`${describeEnd(end)}${before}`);
  });
  const taken = (): string[] => seen.splice(0);
  return { clock, timers, client, ends, taken };
}

test("[AUTH-5] the farm API is asked every five seconds since its last answer, and each change is reported once", async () => {
  const { timers, client, taken, ends } = poll();
  client.answer(relayAccess.path, answer("00:00", ["u1", "00:00"]));
  await timers.pass(1_000);
  expect(taken()).toEqual(["changed u1"]);
  client.answer(relayAccess.path, answer("00:05", ["u1", "00:00"], ["u2", "00:04", "password"]));
  await timers.pass(5_000);
  expect(client.calls.at(-1)?.options.query).toEqual({ since: "2026-11-21T05:00:00.000Z" });
  await timers.pass(5_000);
  expect(taken()).toEqual(["password u2"]);
  client.answer(relayAccess.path, answer("00:15", ["u2", "00:04", "password"], ["u1", "00:14"]));
  await timers.pass(5_000);
  expect(taken()).toEqual(["changed u1"]);
  ends.close();
  await timers.pass(60_000);
  expect(client.count(relayAccess.path)).toBe(4);
});

test("[AUTH-5] an API whose clock was set back answers all changes again, and only new ones are reported", async () => {
  const { timers, client, taken } = poll();
  client.answer(relayAccess.path, answer("40:00", ["u1", "30:00"], ["u2", "20:00", "password"]));
  await timers.pass(1_000);
  taken();
  client.answer(relayAccess.path, answer("40:05"));
  await timers.pass(5_000);
  client.answer(relayAccess.path, answer("10:10", ["u1", "30:00"], ["u2", "20:01", "password"]));
  await timers.pass(5_000);
  // Not in the answer of five seconds before: all displays were paired before it.
  expect(taken()).toEqual(["password u2"]);
});

test("[AUTH-5] the API counts as silent 12 s after its last answer; its next answer contains the missed changes", async () => {
  const { timers, client, ends, taken } = poll();
  client.answer(relayAccess.path, answer("00:00"));
  await timers.pass(1_000);
  expect(ends.isReporting).toBe(true);
  const away = new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
  client.answer(relayAccess.path, away);
  await timers.pass(12_000);
  expect(ends.isReporting).toBe(false);
  client.answer(relayAccess.path, answer("00:20", ["u1", "00:08"]));
  await timers.pass(5_000);
  expect([ends.isReporting, taken()]).toEqual([true, ["changed u1"]]);
});

test("[AUTH-4] a late report of another password leaves the displays that were paired after it", async () => {
  const { timers, client, taken } = poll();
  client.answer(relayAccess.path, answer("00:00"));
  await timers.pass(1_000);
  client.answer(
    relayAccess.path,
    new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false }),
  );
  await timers.pass(195_000);
  client.answer(
    relayAccess.path,
    answer("03:20", ["u1", "03:05", "password"], ["u2", "03:04", "password"], ["u3", "00:14", "password"]),
  );
  await timers.pass(5_000);
  expect(taken()).toEqual(["password u1", "password u2 before 16 s", "password u3 before 186 s"]);
});

test("[AUTH-5] doubts the last half hour at the first report, and ends displays from before a password", async () => {
  const { client, timers, taken } = poll();
  const change = (userId: string, entity: "account" | "password", at: string) =>
    ({ userId, entity, at: `2026-11-21T${at}:00.000Z` }) as const;
  client.answer(relayAccess.path, {
    // The farm API's clock is two hours ahead.
    at: "2026-11-21T12:00:00.000Z",
    changes: [
      change("u1", "account", "11:31"),
      change("u2", "account", "11:29"),
      change("u3", "password", "08:00"),
      // Of before the farm API's clock was set back.
      change("u4", "password", "12:30"),
    ],
  });
  await timers.pass(0);
  expect(taken()).toEqual([
    "changed u1",
    "changed u4",
    "earlier-passwords u3 2026-11-21T06:00:00.000Z; earlier-passwords u4 2026-11-21T12:30:00.000Z",
  ]);
});

test("[AUTH-5] without the extension or the key, nothing is asked and nothing reported", async () => {
  for (const { timers, client, ends, taken } of [poll(false), poll(true, null)]) {
    await timers.pass(60_000);
    expect([client.count(relayAccess.path), ends.isReporting, taken()]).toEqual([0, false, []]);
  }
});

test("[AUTH-4] a message of the farm API about an account or its password ends access; others do not", async () => {
  const { ends, taken, client, timers } = poll();
  const message = (body: string): string[] => {
    ends.message("u1", Buffer.from(body));
    return taken();
  };
  expect(message('{"entity":"account","id":"u1"}')).toEqual(["changed u1"]);
  expect(message('{"entity":"password","id":"u1"}')).toEqual(["password u1"]);
  expect(message('{"entity":"sensor","id":"s1"}')).toEqual([]);
  expect(message("nonsense")).toEqual([]);
  // While the poll is answered it names the time, and with it the displays; the message has none.
  client.answer(relayAccess.path, answer("00:00"));
  await timers.pass(1_000);
  const before: number[] = [];
  ends.onEnd((end) => void (end.kind === "password" && before.push(end.pairedBefore)));
  message('{"entity":"password","id":"u1"}');
  expect(before).toEqual([Number.NEGATIVE_INFINITY]);
});

test("[AUTH-4] a call through the relay ends by its kind; of an unknown one any part of its path may be the account", () => {
  const { ends, seen } = createRecordedEnds();
  ends.called("session", ["u1"]);
  ends.called("change", ["u1"]);
  ends.called("password", ["u1", "users"]);
  ends.called("account", ["u1"]);
  ends.called("unknown", ["u1", "users"]);
  ends.called("session", []);
  expect(seen).toEqual([
    ...["changed u1", "changed u1", "password u1", "changed users", "deleted u1"],
    ...["changed u1", "changed users"],
  ]);
});

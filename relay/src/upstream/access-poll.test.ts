import type { AccessChanges } from "@mulkko/shared/rest/access-changes";
import { relayAccess } from "@mulkko/shared/rest/operations/relay-calls";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { pollAccess } from "./access-poll.ts";
import { UpstreamUnreachableError } from "./errors.ts";
import { createRelayKey } from "./relay-key.ts";

const answer = (at: string, ...changes: [string, string][]): AccessChanges => ({
  at: `2026-11-21T05:${at}.000Z`,
  changes: changes.map(([userId, changedAt]) => ({
    userId,
    entity: "account",
    at: `2026-11-21T05:${changedAt}.000Z`,
  })),
});

function poll(has: boolean, key: string | undefined) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const client = createFakeUpstream();
  const reported: string[] = [];
  const polled = pollAccess({
    client,
    relayKey: createRelayKey(key, { has: () => has }),
    clock,
    timers,
    log: createCapturedLog(),
    onFirst: ({ changes }) => void reported.push(`first ${changes.map(({ userId }) => userId)}`),
    onChanges: (changes) =>
      void reported.push(`new ${changes.map(({ userId, ageMs }) => `${userId} ${ageMs / 1_000} s`)}`),
  });
  return { timers, client, reported, polled };
}

test("[AUTH-5] the farm API is asked every five seconds since its last answer, and each change is reported once", async () => {
  const { timers, client, reported, polled } = poll(true, "0123456789abcdef");
  client.answer(relayAccess.path, answer("00:00", ["u1", "00:00"]));
  await timers.pass(1_000);
  client.answer(relayAccess.path, answer("00:05", ["u1", "00:00"], ["u2", "00:04"]));
  await timers.pass(5_000);
  expect(client.calls.at(-1)?.options.query).toEqual({ since: "2026-11-21T05:00:00.000Z" });
  await timers.pass(5_000);
  client.answer(relayAccess.path, answer("00:15", ["u2", "00:04"], ["u1", "00:14"]));
  await timers.pass(5_000);
  expect(reported).toEqual(["first u1", "new u2 1 s", "new u1 1 s"]);
  polled.close();
  await timers.pass(60_000);
  expect(client.count(relayAccess.path)).toBe(4);
});

test("[AUTH-5] an API whose clock was set back answers all changes again, and only new ones are reported", async () => {
  const { timers, client, reported } = poll(true, "0123456789abcdef");
  client.answer(relayAccess.path, answer("40:00", ["u1", "30:00"], ["u2", "20:00"]));
  await timers.pass(1_000);
  client.answer(relayAccess.path, answer("40:05"));
  await timers.pass(5_000);
  client.answer(relayAccess.path, answer("10:10", ["u1", "30:00"], ["u2", "20:01"]));
  await timers.pass(5_000);
  expect(reported).toEqual(["first u1,u2", "new u2 0 s"]);
});

test("[AUTH-5] the API counts as silent 12 s after its last answer; its next answer contains the missed changes", async () => {
  const { timers, client, reported, polled } = poll(true, "0123456789abcdef");
  client.answer(relayAccess.path, answer("00:00"));
  await timers.pass(1_000);
  expect(polled.isAnswering).toBe(true);
  const away = new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
  client.answer(relayAccess.path, away);
  await timers.pass(12_000);
  expect(polled.isAnswering).toBe(false);
  client.answer(relayAccess.path, answer("00:20", ["u1", "00:08"]));
  await timers.pass(5_000);
  expect([polled.isAnswering, reported]).toEqual([true, ["first ", "new u1 12 s"]]);
});

test("[AUTH-5] without the extension or the key, nothing is asked and nothing reported", async () => {
  for (const { timers, client, polled } of [poll(false, "0123456789abcdef"), poll(true, undefined)]) {
    await timers.pass(60_000);
    expect([client.count(relayAccess.path), polled.isAnswering]).toEqual([0, false]);
  }
});

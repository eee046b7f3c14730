import { relayStorage } from "@mulkko/shared/rest/operations/relay-calls";
import type { StorageState } from "@mulkko/shared/rest/storage";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { UpstreamUnreachableError } from "./errors.ts";
import { createRelayKey } from "./relay-key.ts";
import { pollStorage } from "./storage-poll.ts";

const WELL: StorageState = { fault: null, since: null, disk: null };
const FULL: StorageState = { fault: "disk-full", since: "2026-11-21T03:00:00.000Z", disk: null };

function poll(has: boolean, key: string | undefined) {
  const timers = createFakeTimers(createFakeClock());
  const client = createFakeUpstream();
  const states: (StorageState | null)[] = [];
  const polled = pollStorage({
    client,
    relayKey: createRelayKey(key, { has: () => has }),
    timers,
    log: createCapturedLog(),
    onState: (state) => void states.push(state),
  });
  return { timers, client, states, polled };
}

test("[storage] is asked every five seconds, and keeps its last answer while the farm API is unavailable", async () => {
  const { timers, client, states, polled } = poll(true, "0123456789abcdef");
  client.answer(relayStorage.path, WELL);
  await timers.pass(1_000);
  client.answer(relayStorage.path, FULL);
  await timers.pass(5_000);
  expect(states).toEqual([WELL, FULL]);
  client.answer(
    relayStorage.path,
    new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false }),
  );
  await timers.pass(20_000);
  expect(polled.state).toEqual(FULL);
  polled.close();
  await timers.pass(60_000);
  expect(client.count(relayStorage.path)).toBe(6);
});

test("[storage] is not asked without the extension or the key", async () => {
  for (const { timers, client, states } of [poll(false, "0123456789abcdef"), poll(true, undefined)]) {
    await timers.pass(60_000);
    expect([client.count(relayStorage.path), states]).toEqual([0, []]);
  }
});

import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createFakeLink } from "../../testing/fake-link.ts";
import { createListeners } from "../store/streams/listeners.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import { createReception } from "./reception.ts";

const fail = (error: unknown): never => {
  throw error;
};

/** Create an API with extensions that the test sets. */
function createFakeCapabilities(...first: string[]): CapabilitySource & { become(...names: string[]): void } {
  const listeners = createListeners<void>(fail);
  let extensions: readonly string[] = first;
  return {
    get extensions() {
      return extensions;
    },
    isKnown: true,
    has: (extension) => extensions.includes(extension),
    listen: listeners.add,
    become(...names) {
      extensions = names;
      listeners.call();
    },
  };
}

const HOUR = 3_600_000;

function harness(...extensions: string[]) {
  const clock = createFakeClock();
  const link = createFakeLink(clock.now());
  const capabilities = createFakeCapabilities(...extensions);
  const timers = createFakeTimers(clock);
  const suspected: { offset: number | null } = { offset: null };
  const upstreamClock = { suspectedOffset: () => suspected.offset };
  const reception = createReception({ link, capabilities, upstreamClock, clock, timers, onError: fail });
  const turns: boolean[] = [];
  const stop = reception.listen(() => turns.push(reception.mqtt));
  return { clock, timers, link, capabilities, suspected, reception, turns, stop };
}

test("[MQTT-1] the API is received from the start if its broker is up and the extension is announced", () => {
  const { reception, clock } = harness("mqtt-out");
  expect(reception.mqtt).toBe(true);
  expect(reception.isReceivedSince(clock.now())).toBe(true);
});

test("[MQTT-1] a broker alone is not the API's output, and an API without its broker is not received", () => {
  const { reception, link, capabilities, turns } = harness("timed-run");
  expect(reception.mqtt).toBe(false);
  link.become({ mqtt: "down" });
  capabilities.become("mqtt-out");
  expect(reception.mqtt).toBe(false);
  link.become({ mqtt: "off" });
  expect(reception.mqtt).toBe(false);
  link.become({ mqtt: "up" });
  expect(reception.mqtt).toBe(true);
  capabilities.become();
  expect(reception.mqtt).toBe(false);
  expect(turns).toEqual([true, false]);
});

test("[POLL-7] while the API is unavailable, nothing counts as received, because no device causes the silence", () => {
  const { reception, link, turns } = harness("mqtt-out");
  link.become({ upstream: "degraded" });
  expect(reception.mqtt).toBe(true);
  link.become({ upstream: "down" });
  expect(reception.mqtt).toBe(false);
  link.become({ upstream: "up" });
  expect(turns).toEqual([false, true]);
});

test("[POLL-1] a change is reported once, and irrelevant link events are not", () => {
  const { link, capabilities, turns, stop } = harness("mqtt-out");
  link.become({ store: "down" });
  capabilities.become("mqtt-out", "relay-session");
  expect(turns).toEqual([]);
  link.become({ mqtt: "down" });
  link.become({ mqtt: "down" });
  expect(turns).toEqual([false]);
  stop();
  link.become({ mqtt: "up" });
  expect(turns).toEqual([false]);
});

test("[ONL-1] coverage since a time requires that no break occurred after it", () => {
  const { reception, link, clock } = harness("mqtt-out");
  const start = clock.now();
  clock.advance(60_000);
  expect([reception.isReceivedSince(start), reception.isReceivedSince(start - 1)]).toEqual([true, false]);
  link.become({ mqtt: "down" });
  expect(reception.isReceivedSince(clock.now())).toBe(false);
  clock.advance(5_000);
  link.become({ mqtt: "up" });
  expect(reception.isReceivedSince(start)).toBe(false);
  expect(reception.isReceivedSince(clock.now() - 1)).toBe(false);
  expect(reception.isReceivedSince(clock.now())).toBe(true);
});

test("[POLL-7] while readings are not stored, and for an hour afterwards, silence is not attributed to devices", async () => {
  const { clock, timers, link, suspected, reception } = harness();
  let changes = 0;
  reception.listen(() => {
    changes += 1;
  });
  const began = clock.now();
  expect(reception.isDoubtful(began)).toBe(false);
  link.become({ notStoring: { fault: "disk-full", since: began } });
  await timers.pass(3 * HOUR);
  expect(reception.isDoubtful(began - HOUR / 2)).toBe(true);
  // A device that had already been silent for an hour.
  expect(reception.isDoubtful(began - HOUR)).toBe(false);
  link.become({ notStoring: null });
  await timers.pass(HOUR - 1_000);
  expect(reception.isDoubtful(began)).toBe(true);
  await timers.pass(2_000);
  expect(reception.isDoubtful(began)).toBe(false);
  // The outage, its end, and the end of the hour after it.
  expect(changes).toBe(3);
  // ONL-3: with a wrong clock of the API no silence is attributed to a device.
  suspected.offset = 3_600_000;
  expect(reception.isDoubtful(null)).toBe(true);
});

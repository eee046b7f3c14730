import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeLink } from "../../testing/fake-link.ts";
import { createListeners } from "../store/streams/listeners.ts";
import type { CapabilitySource } from "../upstream/upstream.ts";
import { createMqttCoverage } from "./mqtt-coverage.ts";

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
    has: (extension) => extensions.includes(extension),
    listen: listeners.add,
    become(...names) {
      extensions = names;
      listeners.call();
    },
  };
}

function harness(...extensions: string[]) {
  const clock = createFakeClock();
  const link = createFakeLink(clock.now());
  const capabilities = createFakeCapabilities(...extensions);
  const mqttCoverage = createMqttCoverage({ link, capabilities, clock, onError: fail });
  const turns: boolean[] = [];
  const stop = mqttCoverage.listen(() => turns.push(mqttCoverage.received));
  return { clock, link, capabilities, mqttCoverage, turns, stop };
}

test("[MQTT-1] the API is received from the start if its broker is up and the extension is announced", () => {
  const { mqttCoverage, clock } = harness("mqtt-out");
  expect(mqttCoverage.received).toBe(true);
  expect(mqttCoverage.coveredSince(clock.now())).toBe(true);
});

test("[MQTT-1] a broker alone is not the API's output, and an API without its broker is not received", () => {
  const { mqttCoverage, link, capabilities, turns } = harness("timed-run");
  expect(mqttCoverage.received).toBe(false);
  link.become({ mqtt: "down" });
  capabilities.become("mqtt-out");
  expect(mqttCoverage.received).toBe(false);
  link.become({ mqtt: "off" });
  expect(mqttCoverage.received).toBe(false);
  link.become({ mqtt: "up" });
  expect(mqttCoverage.received).toBe(true);
  capabilities.become();
  expect(mqttCoverage.received).toBe(false);
  expect(turns).toEqual([true, false]);
});

test("[POLL-7] while the API is unavailable, nothing counts as received, because no device causes the silence", () => {
  const { mqttCoverage, link, turns } = harness("mqtt-out");
  link.become({ upstream: "degraded" });
  expect(mqttCoverage.received).toBe(true);
  link.become({ upstream: "down" });
  expect(mqttCoverage.received).toBe(false);
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
  const { mqttCoverage, link, clock } = harness("mqtt-out");
  const start = clock.now();
  clock.advance(60_000);
  expect([mqttCoverage.coveredSince(start), mqttCoverage.coveredSince(start - 1)]).toEqual([true, false]);
  link.become({ mqtt: "down" });
  expect(mqttCoverage.coveredSince(clock.now())).toBe(false);
  clock.advance(5_000);
  link.become({ mqtt: "up" });
  expect(mqttCoverage.coveredSince(start)).toBe(false);
  expect(mqttCoverage.coveredSince(clock.now() - 1)).toBe(false);
  expect(mqttCoverage.coveredSince(clock.now())).toBe(true);
});

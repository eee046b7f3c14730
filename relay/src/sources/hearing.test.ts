import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import type { CapabilitySource } from "../ports/upstream.ts";
import { createListeners } from "../streams/listeners.ts";
import { createFakeLink } from "../testing/fake-link.ts";
import { createHearing } from "./hearing.ts";

const fail = (error: unknown): never => {
  throw error;
};

/** An API whose extensions the test sets. */
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

function rig(...extensions: string[]) {
  const clock = createFakeClock();
  const link = createFakeLink(clock.now());
  const capabilities = createFakeCapabilities(...extensions);
  const hearing = createHearing({ link, capabilities, clock, onError: fail });
  const turns: boolean[] = [];
  const stop = hearing.listen(() => turns.push(hearing.heard));
  return { clock, link, capabilities, hearing, turns, stop };
}

test("[MQTT-1] the API is heard from the start where its broker is there and it says that it speaks", () => {
  const { hearing, clock } = rig("mqtt-out");
  expect(hearing.heard).toBe(true);
  expect(hearing.heardSince(clock.now())).toBe(true);
});

test("[MQTT-1] a broker alone is not the API's output, and an API without its broker is not heard", () => {
  const { hearing, link, capabilities, turns } = rig("timed-run");
  expect(hearing.heard).toBe(false);
  link.become({ mqtt: "down" });
  capabilities.become("mqtt-out");
  expect(hearing.heard).toBe(false);
  link.become({ mqtt: "off" });
  expect(hearing.heard).toBe(false);
  link.become({ mqtt: "up" });
  expect(hearing.heard).toBe(true);
  capabilities.become();
  expect(hearing.heard).toBe(false);
  expect(turns).toEqual([true, false]);
});

test("[POLL-7] while the API itself is away its silence is not a device's: it is not heard", () => {
  const { hearing, link, turns } = rig("mqtt-out");
  link.become({ upstream: "degraded" });
  expect(hearing.heard).toBe(true);
  link.become({ upstream: "down" });
  expect(hearing.heard).toBe(false);
  link.become({ upstream: "up" });
  expect(turns).toEqual([false, true]);
});

test("[POLL-1] a turn is told once, and news of the link that change nothing are not", () => {
  const { link, capabilities, turns, stop } = rig("mqtt-out");
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

test("[ONL-1] it has been heard since a moment only without a break after it", () => {
  const { hearing, link, clock } = rig("mqtt-out");
  const start = clock.now();
  clock.advance(60_000);
  expect([hearing.heardSince(start), hearing.heardSince(start - 1)]).toEqual([true, false]);
  link.become({ mqtt: "down" });
  expect(hearing.heardSince(clock.now())).toBe(false);
  clock.advance(5_000);
  link.become({ mqtt: "up" });
  expect(hearing.heardSince(start)).toBe(false);
  expect(hearing.heardSince(clock.now() - 1)).toBe(false);
  expect(hearing.heardSince(clock.now())).toBe(true);
});

import type { CommandState } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import type { StateValue } from "../ports/streams.ts";
import { createEventCopy } from "../streams/event-copy.ts";
import { createFeedingAccount } from "./account-feed.ts";
import { createFleetBook } from "./fleet-book.ts";

const HOUR = 3_600_000;
const sensor = (id: number): StateValue => ({
  info: { id: `s${id}`, name: `Soil ${id}`, deviceType: "SMS", serial: id },
  reading: { battery: 50 },
  ...{ at: null, heardAt: "2026-11-21T02:59:00.000Z", quality: "fresh", via: "poll" },
});

function startFeed(sensors = 1) {
  const clock = createFakeClock();
  const values = new Map<string, StateValue>(
    Array.from({ length: sensors }, (_, n) => [`sensor:s${n}`, sensor(n)]),
  );
  const log = createEventCopy("epoch", [], 0, (error) => {
    throw error;
  });
  const command = (id: string, state: CommandState, reason?: string): LiveEvent => ({
    ...{ kind: "command", at: new Date(clock.now()).toISOString(), id, command: "onoff", state },
    ...{ controllerId: "c1", channelId: 11, number: 1, target: 1, by: { id: "u1", nickname: "Kim" } },
    ...(reason !== undefined && { reason }),
  });
  const feed = createFeedingAccount(
    "a",
    {
      get: (key) => values.get(key),
      keys: () => values.keys(),
      events: log.stream,
      beats: () => ({ slot: 1, text: "1".repeat(96) }),
    },
    clock,
  );
  return { clock, values, log, command, feed };
}

test("[NODE-5] an account begins with everything, in portions, each device with its past once", () => {
  const { feed, values } = startFeed(5);
  feed.begin();
  const first = feed.take(3);
  expect([first.begins, first.devices.length, feed.dirty]).toEqual([true, 3, true]);
  const rest = feed.take(3);
  expect([rest.begins, rest.devices.length, feed.dirty]).toEqual([false, 2, false]);
  expect([...first.devices, ...rest.devices].every(({ beats }) => beats !== undefined)).toBe(true);
  values.delete("sensor:s1");
  for (const key of ["sensor:s0", "sensor:s1", "farm:1"]) feed.changed(key);
  const later = feed.take(3);
  expect(later).toMatchObject({ devices: [{ id: "s0" }], gone: ["device:s1"] });
  expect(later.devices[0]).not.toHaveProperty("beats");
});

test("[CMD-1] commands that nobody confirmed are shown for 24 h, from the log and from now on", () => {
  const { clock, log, command, feed } = startFeed();
  const say = (event: LiveEvent) => log.append({ offset: log.stream.offset + 1, event });
  say(command("old", "unconfirmed"));
  clock.advance(23 * HOUR);
  say(command("late", "unconfirmed"));
  say(command("done", "unconfirmed"));
  say(command("done", "confirmed"));
  feed.begin();
  const { commands } = feed.take(10);
  expect(commands?.map(({ id }) => id)).toEqual(["old", "late"]);
  clock.advance(2 * HOUR);
  feed.logged(command("late", "confirmed"));
  feed.logged(command("new", "unconfirmed"));
  expect(feed.take(10).commands).toMatchObject([{ id: "new", controllerId: "c1", number: 1, target: 1 }]);
});

test("[CMD-1] a command that failed is shown with its reason; one that was refused or replaced is not", () => {
  const { command, feed } = startFeed();
  feed.begin();
  feed.take(10);
  feed.logged(command("lost", "failed", "upstream-down"));
  feed.logged(command("refused", "refused", "forbidden"));
  feed.logged(command("replaced", "unconfirmed"));
  feed.logged(command("replaced", "superseded"));
  expect(feed.take(10).commands).toMatchObject([{ id: "lost", state: "failed", reason: "upstream-down" }]);
});

test("[CMD-1] the fleet shows them under their own keys, until they are confirmed, too old, or not watched", () => {
  const { clock, command, feed } = startFeed();
  const shown = new Map<string, StateValue>();
  const book = createFleetBook({
    writer: {
      get: (key) => shown.get(key),
      keys: () => shown.keys(),
      set: (key, value) => void shown.set(key, value),
      del: (key) => void shown.delete(key),
    },
    now: clock.now,
    onTeller: () => undefined,
    onGone: () => undefined,
  });
  const commands = () => [...shown.keys()].filter((key) => key.startsWith("command:"));
  feed.begin();
  feed.logged(command("c1", "unconfirmed"));
  book.told("n1", feed.take(10));
  // The first portion reads the log, which did not have it; what is logged from then on counts.
  feed.logged(command("c1", "unconfirmed"));
  feed.logged(command("c2", "unconfirmed"));
  book.told("n1", feed.take(10));
  expect(commands()).toEqual(["command:c1", "command:c2"]);
  expect(shown.get("command:c1")).toMatchObject({ account: "a", username: null, by: { nickname: "Kim" } });
  feed.logged(command("c1", "confirmed"));
  book.told("n1", feed.take(10));
  expect(commands()).toEqual(["command:c2"]);
  clock.advance(25 * HOUR);
  book.prune();
  expect(commands()).toEqual([]);
  feed.logged(command("c3", "unconfirmed"));
  book.told("n1", feed.take(10));
  book.untold("another-node", "a");
  expect(commands()).toEqual(["command:c3"]);
  book.untold("n1", "a");
  // Nobody lists its device either.
  expect([...shown.keys()]).toEqual([]);
});

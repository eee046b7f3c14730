import type { CommandState } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeWriter } from "../../testing/valves/fake-writer.ts";
import { createEventCopy } from "../store/streams/event-copy.ts";
import type { StateValue } from "../store/streams.ts";
import { FleetIndex } from "./fleet-index.ts";
import { createReportingAccount } from "./reporter.ts";

const HOUR = 3_600_000;
const sensor = (id: number): StateValue => ({
  info: { id: `s${id}`, name: `Soil ${id}`, deviceType: "SMS", serial: id },
  reading: { battery: 50 },
  ...{ at: null, heardAt: "2026-11-21T02:59:00.000Z", quality: "fresh", via: "poll" },
});

function startReporter(sensors = 1) {
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
  const reporter = createReportingAccount(
    "a",
    {
      get: (key) => values.get(key),
      keys: () => values.keys(),
      events: log.stream,
      beats: () => ({ slot: 1, text: "1".repeat(96) }),
      lastFlip: () => null,
      isRead: () => true,
    },
    clock,
  );
  return { clock, values, log, command, reporter };
}

test("[NODE-5] an account begins with a complete report, in portions, with each device's history once", () => {
  const { reporter, values } = startReporter(5);
  reporter.begin();
  const first = reporter.nextReport(3);
  expect([first.begins, first.devices.length, reporter.dirty]).toEqual([true, 3, true]);
  const rest = reporter.nextReport(3);
  expect([rest.begins, rest.devices.length, reporter.dirty]).toEqual([false, 2, false]);
  expect([...first.devices, ...rest.devices].every(({ beats }) => beats !== undefined)).toBe(true);
  values.delete("sensor:s1");
  for (const key of ["sensor:s0", "sensor:s1", "farm:1"]) reporter.changed(key);
  const later = reporter.nextReport(3);
  expect(later).toMatchObject({ devices: [{ id: "s0" }], gone: ["device:s1"] });
  expect(later.devices[0]).not.toHaveProperty("beats");
});

test("[CMD-1] unconfirmed commands are shown for 24 h, from the log and from new events", () => {
  const { clock, log, command, reporter } = startReporter();
  const say = (event: LiveEvent) => log.append({ offset: log.stream.offset + 1, event });
  say(command("old", "unconfirmed"));
  clock.advance(23 * HOUR);
  say(command("late", "unconfirmed"));
  say(command("done", "unconfirmed"));
  say(command("done", "confirmed"));
  reporter.begin();
  const { commands } = reporter.nextReport(10);
  expect(commands?.map(({ id }) => id)).toEqual(["old", "late"]);
  clock.advance(2 * HOUR);
  reporter.logged(command("late", "confirmed"));
  reporter.logged(command("new", "unconfirmed"));
  expect(reporter.nextReport(10).commands).toMatchObject([
    { id: "new", controllerId: "c1", number: 1, target: 1 },
  ]);
});

test("[CMD-1] a failed command is shown with its reason; a refused or replaced one is not", () => {
  const { command, reporter } = startReporter();
  reporter.begin();
  reporter.nextReport(10);
  reporter.logged(command("lost", "failed", "upstream-down"));
  reporter.logged(command("refused", "refused", "forbidden"));
  reporter.logged(command("replaced", "unconfirmed"));
  reporter.logged(command("replaced", "superseded"));
  expect(reporter.nextReport(10).commands).toMatchObject([
    { id: "lost", state: "failed", reason: "upstream-down" },
  ]);
});

test("[CMD-1] the fleet shows commands under their own keys until they are confirmed, too old, or not watched", () => {
  const { clock, command, reporter } = startReporter();
  const shown = createFakeWriter();
  const registry = new FleetIndex({
    writer: shown,
    now: clock.now,
    watching: { reasonOf: () => null, valveDevicesOf: () => null, noteUnreported: () => undefined },
    namesControllers: () => true,
    onSums: () => undefined,
    onOwned: () => undefined,
    onUnowned: () => undefined,
    onGone: () => undefined,
  });
  const commands = () => [...shown.keys()].filter((key) => key.startsWith("command:"));
  reporter.begin();
  reporter.logged(command("c1", "unconfirmed"));
  registry.applyReport("n1", reporter.nextReport(10));
  // The first portion reads the log, which did not have the command; later events count.
  reporter.logged(command("c1", "unconfirmed"));
  reporter.logged(command("c2", "unconfirmed"));
  registry.applyReport("n1", reporter.nextReport(10));
  expect(commands()).toEqual(["command:c1", "command:c2"]);
  expect(shown.get("command:c1")).toMatchObject({ account: "a", username: null, by: { nickname: "Kim" } });
  reporter.logged(command("c1", "confirmed"));
  registry.applyReport("n1", reporter.nextReport(10));
  expect(commands()).toEqual(["command:c2"]);
  clock.advance(25 * HOUR);
  registry.prune();
  expect(commands()).toEqual([]);
  reporter.logged(command("c3", "unconfirmed"));
  registry.applyReport("n1", reporter.nextReport(10));
  registry.releaseAccount("another-node", "a");
  expect(commands()).toEqual(["command:c3"]);
  registry.releaseAccount("n1", "a");
  // The list does not contain its device either.
  expect([...shown.keys()]).toEqual([]);
});

import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import { settle } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, test } from "vitest";
import { type AlarmHarness, createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";

const MINUTE = 60_000;
const AUTOMATIC = {
  active: "automatic",
  automatic: { lowerBound: 20, upperBound: 40, wateringDuration: 30 },
  reservation: null,
  period: null,
};

/** Make an alarm of each type, with everything that it was made from. */
const RAISE: Readonly<Record<AlarmType, (harness: AlarmHarness) => void>> = {
  battery: (harness) => notify(harness, "BATTERY"),
  rssi: (harness) => notify(harness, "RSSI"),
  device: (harness) => notify(harness, "DEVICE"),
  notice: (harness) => notify(harness, "NOTICE"),
  offline: (harness) => harness.sensor("1", { quality: "offline" }),
  "controller-offline": (harness) => harness.controller("c1", { quality: "offline" }),
  "controller-offline-watering"(harness) {
    harness.channel("11", { onoff: 1, modes: AUTOMATIC });
    harness.controller("c1", { link: "lost" });
  },
  "out-of-bounds": (harness) => harness.channel("11", { modes: AUTOMATIC, moisture: 5 }),
  "command-unconfirmed": (harness) => harness.command({ target: 2, state: "unconfirmed" }),
  "command-failed": (harness) => harness.command({ target: 2, state: "failed" }),
  "late-opening"(harness) {
    harness.channel("11", { onoff: 1 });
    const by = { id: "u", nickname: "Kim" };
    harness.command({ target: 2, state: "requested", lateOpening: { pressedAt: harness.iso(), by } });
  },
  "open-too-long"(harness) {
    harness.channel("11", { onoff: 1, runUntil: harness.iso(-MINUTE), endsBy: "device" });
    harness.watering({ cause: "person" });
    harness.timers.advance(2 * MINUTE);
    // The controller reports that it is open. Only its first report names the end.
    harness.channel("11", { onoff: 1, runUntil: null, heardAt: harness.iso(), at: harness.iso() });
    harness.timers.advance(MINUTE);
  },
  "external-open"(harness) {
    harness.channel("11", { onoff: 1 });
    harness.watering({ cause: "external" });
  },
  "no-rise"(harness) {
    harness.channel("11", { moisture: 20 });
    const start = harness.iso(60 * MINUTE);
    harness.watering({ start, end: harness.iso(30 * MINUTE), endReason: "done", moistureBefore: 20 });
    harness.watering({ moistureAfter: 20.2 });
  },
  "no-access"(harness) {
    harness.state.emit("accessChanged", false);
    harness.timers.advance(21_000);
  },
  "not-storing"(harness) {
    harness.administers = true;
    harness.link.become({ notStoring: { fault: "disk-full", since: harness.clock.now() } });
  },
  "upstream-down"(harness) {
    harness.link.become({ upstream: "down" });
    harness.timers.advance(21_000);
  },
  "broker-down"(harness) {
    harness.link.become({ mqtt: "down" });
    harness.timers.advance(21_000);
  },
  "clock-wrong": (harness) => harness.controller("c1", { clockWrongSince: harness.iso(11 * MINUTE) }),
  "farm-link"(harness) {
    for (const id of ["1", "2"]) harness.sensor(id, { quality: "offline" });
  },
};

const notify = (harness: AlarmHarness, type: string): void =>
  harness.state.event({
    ...{ kind: "notification", at: harness.iso(), id: 1, type, message: "Soil 1: low" },
    ...{ createdDate: harness.iso(), unread: true },
  });

/** Events of the relay and around it that bring no news of the devices. */
const HAPPENS: Readonly<Record<string, (harness: AlarmHarness) => Promise<void>>> = {
  restart: (harness) => harness.restart(),
  "restart with administrator unknown": async (harness) => {
    harness.administers = false;
    await harness.restart();
  },
  "restart with its stored waterings": async (harness) => {
    const waterings = [...harness.state.keys()].filter((key) => key.startsWith("watering:"));
    const stored = waterings.map((key) => [key, harness.state.get(key)] as const);
    const channel = harness.state.get("channel:11");
    await harness.restart();
    // Nothing of the valve is read yet.
    const unread = { onoff: 0, modes: null, moisture: null, heardAt: null, at: null, runUntil: null };
    harness.state.set("channel:11", { ...channel, ...unread });
    for (const [key, value] of stored) if (value) harness.state.set(key, value);
  },
  "restart with its connections and valves unread": (harness) =>
    harness.restart((key, value) => {
      if (key.startsWith("controller:") && value.link === "lost") return { ...value, link: null };
      if (key.startsWith("channel:")) return { ...value, onoff: 0, modes: null };
      return { ...value, quality: null };
    }),
  takeover: (harness) => harness.takeOver("controller:other", {}),
  "farm API away": async (harness) => {
    harness.link.become({ upstream: "down" });
    harness.timers.advance(10_000);
  },
  "restart while the farm API is away": async (harness) => {
    harness.link.become({ upstream: "down", notStoring: null, storingKnown: false });
    await harness.restart();
  },
  "store away": async (harness) => {
    harness.link.become({ store: "down" });
    harness.timers.advance(10_000);
  },
  "disk full": async (harness) => {
    harness.link.become({ notStoring: { fault: "disk-full", since: harness.clock.now() } });
    harness.timers.advance(10_000);
  },
};

const PART_OF_UPSTREAM: ReadonlySet<AlarmType> = new Set<AlarmType>(["no-access", "broker-down"]);

async function farm(): Promise<AlarmHarness> {
  const harness = await createAlarmHarness();
  harness.sensor("1");
  harness.sensor("2");
  harness.controller("c1");
  harness.channel("11", { onoff: 2 });
  harness.farm("f1", ["1", "2"]);
  return harness;
}

const stateOf = (alarm: Alarm | undefined) =>
  alarm && {
    ...{ id: alarm.id, active: alarm.active, priority: alarm.priority },
    ...{ raisedAt: alarm.raisedAt, valves: alarm.valves },
  };

describe.each(Object.keys(HAPPENS))("after: %s", (happening) => {
  const types = Object.keys(RAISE).filter((type): type is AlarmType => type in RAISE);
  test.each(types)("[ALM-8] keeps %s, which nothing has ended", async (type) => {
    const harness = await farm();
    RAISE[type](harness);
    await settle();
    const before = stateOf(harness.find(type));
    // A notice has no end that could be observed: it stays until it is acknowledged.
    expect(before?.active).toBe(type !== "notice");
    // An alarm that is raised again has another time.
    harness.timers.advance(1_000);
    await HAPPENS[happening]?.(harness);
    await settle();
    harness.timers.advance(MINUTE);
    // The outage of the farm API names that of its broker, and of one account of it (ALM-4).
    const isPart = harness.link.state.upstream === "down" && PART_OF_UPSTREAM.has(type);
    if (isPart) expect(harness.find("upstream-down")?.active).toBe(true);
    else expect(stateOf(harness.find(type))).toEqual(before);
  });
});

import { settle } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { type AlarmHarness, createAlarmHarness } from "../../testing/alarms/alarm-harness.ts";
import { StoreUnavailableError } from "../store/errors.ts";

const MINUTE = 60_000;
const CHANNEL = "channel:11";
const MODES = {
  active: "automatic",
  automatic: { lowerBound: 20, upperBound: null, wateringDuration: 30 },
  reservation: null,
  period: null,
};

async function openHarness(cause: "person" | "automatic" | "external", change = {}): Promise<AlarmHarness> {
  const harness = await createAlarmHarness();
  harness.controller("c1");
  harness.channel("11", { onoff: 1, modes: MODES, moisture: 30, ...change });
  harness.watering({ cause });
  return harness;
}

test("[RUN-3] an external opening is P2 at once and P1 at the hard cap", async () => {
  const harness = await openHarness("external");
  expect(harness.find("external-open")).toMatchObject({ key: CHANNEL, priority: 2, active: true });
  harness.timers.advance(120 * MINUTE - 1);
  expect(harness.find("external-open")?.priority).toBe(2);
  harness.timers.advance(1);
  expect(harness.find("external-open")).toMatchObject({ priority: 1, count: 1 });
  harness.channel("11", { onoff: 2 });
  expect(harness.active()).toEqual([]);
});

test("[RUN-1] the hard cap is the controller's own", async () => {
  const harness = await createAlarmHarness();
  harness.capMinutes = 15;
  harness.controller("c1");
  harness.channel("11", { onoff: 1 });
  harness.watering({ cause: "external" });
  harness.timers.advance(15 * MINUTE);
  expect(harness.find("external-open")?.priority).toBe(1);
});

test("[RUN-3] a mode's watering is P2 at its time + 5 min and P1 at the hard cap", async () => {
  const harness = await openHarness("automatic");
  harness.timers.advance(35 * MINUTE - 1);
  expect(harness.active()).toEqual([]);
  harness.timers.advance(1);
  expect(harness.find("open-too-long")).toMatchObject({ key: CHANNEL, priority: 2 });
  harness.timers.advance(85 * MINUTE);
  expect(harness.find("open-too-long")?.priority).toBe(1);
});

test("[RUN-3] a mode that may run longer than the cap raises nothing before its own time", async () => {
  const harness = await openHarness("automatic", {
    modes: { ...MODES, automatic: { ...MODES.automatic, wateringDuration: 300 } },
  });
  harness.timers.advance(305 * MINUTE - 1);
  expect(harness.active()).toEqual([]);
  harness.timers.advance(1);
  expect(harness.find("open-too-long")?.priority).toBe(1);
});

test("[ALM-1] a run beyond its end is P1, a minute after it; an extended one is none", async () => {
  const harness = await openHarness("person");
  harness.channel("11", { runUntil: harness.iso(-10 * MINUTE) });
  harness.timers.advance(10 * MINUTE);
  harness.channel("11", { runUntil: harness.iso(-5 * MINUTE) });
  harness.timers.advance(6 * MINUTE - 1);
  expect(harness.active()).toEqual([]);
  harness.timers.advance(1);
  expect(harness.find("open-too-long")).toMatchObject({ priority: 1, detail: { cause: "person" } });
  harness.channel("11", { runUntil: harness.iso(-5 * MINUTE) });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] keeps the end of a run while its close is pending", async () => {
  const harness = await openHarness("person");
  harness.channel("11", { runUntil: harness.iso(-10 * MINUTE) });
  harness.timers.advance(10 * MINUTE);
  harness.channel("11", { runUntil: null });
  harness.timers.advance(MINUTE);
  expect(harness.find("open-too-long")?.priority).toBe(1);
});

test("[ALM-1] a valve that closes by itself and loses its connection is not called open beyond its end", async () => {
  const harness = await openHarness("person", { heardAt: null });
  harness.channel("11", { runUntil: harness.iso(-10 * MINUTE), endsBy: "device", heardAt: harness.iso() });
  harness.timers.advance(2 * MINUTE);
  harness.controller("c1", { link: "lost" });
  harness.channel("11", { link: "lost" });
  harness.timers.advance(30 * MINUTE);
  expect(harness.active()).toEqual(["controller-offline-watering controller:c1"]);
  harness.controller("c1", { link: "up" });
  harness.channel("11", { link: "up", onoff: 2, heardAt: harness.iso() });
  expect(harness.published().map(({ alarm }) => alarm.type)).not.toContain("open-too-long");
});

test("[ALM-1] a valve that closes by itself and is reported open after its end is P1", async () => {
  const harness = await openHarness("person", { heardAt: null });
  harness.channel("11", { runUntil: harness.iso(-10 * MINUTE), endsBy: "device", heardAt: harness.iso() });
  harness.timers.advance(10 * MINUTE + 1);
  harness.channel("11", { heardAt: harness.iso() });
  harness.timers.advance(MINUTE);
  expect(harness.find("open-too-long")).toMatchObject({ priority: 1, active: true });
  harness.channel("11", { onoff: 2, runUntil: null, endsBy: null, heardAt: harness.iso() });
  expect(harness.active()).toEqual([]);
});

test("[ALM-1] a run that only the relay can end is P1 beyond its end, also without any report", async () => {
  const harness = await openHarness("person");
  harness.channel("11", { runUntil: harness.iso(-10 * MINUTE), endsBy: "relay", heardAt: harness.iso() });
  harness.timers.advance(11 * MINUTE);
  expect(harness.find("open-too-long")?.priority).toBe(1);
});

test("[RUN-4] a set clock moves no alarm", async () => {
  const harness = await openHarness("external");
  harness.clock.jump(24 * 60 * MINUTE);
  harness.timers.advance(119 * MINUTE);
  harness.channel("11", { modes: null });
  expect(harness.find("external-open")?.priority).toBe(2);
  harness.timers.advance(MINUTE);
  expect(harness.find("external-open")?.priority).toBe(1);
});

test("[ALM-6] continues to time an opening after a restart", async () => {
  const harness = await openHarness("external");
  harness.timers.advance(100 * MINUTE);
  const start = harness.iso(100 * MINUTE);
  await harness.restart();
  harness.watering({ cause: "external", start });
  expect(harness.find("external-open")).toMatchObject({ priority: 2, count: 1 });
  harness.timers.advance(20 * MINUTE);
  expect(harness.find("external-open")?.priority).toBe(1);
  harness.watering({ end: harness.iso(), endReason: "closed" });
  expect(harness.active()).toEqual([]);
});

const by = { id: "u", nickname: "Kim" };

test("[RUN-3] closes an external opening only if the account wants it, and then at the hard cap", async () => {
  const harness = await openHarness("external");
  harness.timers.advance(130 * MINUTE);
  expect(harness.closes).toEqual([]);
  harness.adopts = true;
  harness.state.emit("settingsChanged", null);
  expect(harness.closes).toMatchObject([
    { controllerId: "c1", number: 1, target: 2, byRelay: true, form: "controller", origin: "relay" },
  ]);
});

test("[RUN-3] closes the valve of an account that wants it at its controller's cap, not before", async () => {
  const harness = await createAlarmHarness();
  harness.adopts = true;
  harness.capMinutes = 15;
  harness.controller("c1");
  harness.channel("11", { onoff: 1 });
  harness.watering({ cause: "external" });
  harness.timers.advance(15 * MINUTE - 1);
  expect(harness.closes).toEqual([]);
  harness.timers.advance(1);
  expect(harness.closes).toHaveLength(1);
});

test("[RUN-3] gives an external opening an end by one tap, keeps it across a restart, and closes in the person's name", async () => {
  const harness = await openHarness("external");
  const { id = "" } = harness.find("external-open") ?? {};
  const start = harness.iso();
  const answer = await harness.service.closeIn({ id, by, minutes: 10 });
  expect(answer).toMatchObject({ ok: true, alarm: { id, detail: { closesAt: harness.iso(-10 * MINUTE) } } });
  await harness.service.acknowledge({ id, by, comment: null });
  harness.timers.advance(5 * MINUTE);
  await harness.restart();
  harness.watering({ cause: "external", start });
  harness.timers.advance(5 * MINUTE - 1);
  expect(harness.closes).toEqual([]);
  harness.timers.advance(1);
  expect(harness.closes).toMatchObject([{ by, target: 2, byRelay: true }]);
});

test("[CMD-8] an end for an external opening is not called given before it is stored, and given by the repeated call", async () => {
  const harness = await openHarness("external");
  const { id = "" } = harness.find("external-open") ?? {};
  harness.store.failing = true;
  await expect(harness.service.closeIn({ id, by, minutes: 10 })).rejects.toThrow(StoreUnavailableError);
  harness.store.failing = false;
  expect(await harness.service.closeIn({ id, by, minutes: 10 })).toMatchObject({ ok: true });
  await harness.restart();
  expect(harness.find("external-open")?.detail).toMatchObject({ closesAt: harness.iso(-10 * MINUTE) });
});

test("[RUN-3] repeats a close that the valves refuse, until the valve is closed", async () => {
  const harness = await openHarness("external");
  harness.refuses = true;
  await harness.service.closeIn({ id: harness.find("external-open")?.id ?? "", by, minutes: 10 });
  harness.timers.advance(10 * MINUTE);
  await settle();
  harness.timers.advance(MINUTE / 2);
  await settle();
  expect(harness.closes).toHaveLength(2);
  expect(new Set(harness.closes.map(({ commandId }) => commandId)).size).toBe(1);
  harness.channel("11", { onoff: 2 });
  harness.timers.advance(10 * MINUTE);
  await settle();
  expect(harness.closes).toHaveLength(2);
});

test("[RUN-3] cancels the given end when a person opens the valve with their own run", async () => {
  const harness = await openHarness("external");
  await harness.service.closeIn({ id: harness.find("external-open")?.id ?? "", by, minutes: 10 });
  harness.channel("11", { runUntil: harness.iso(-30 * MINUTE) });
  harness.command({ state: "confirmed", target: 1 });
  expect(harness.active()).toEqual([]);
  harness.timers.advance(20 * MINUTE);
  await settle();
  expect(harness.closes).toEqual([]);
  harness.timers.advance(11 * MINUTE);
  expect(harness.find("open-too-long")?.priority).toBe(1);
});

test.each(["automatic", "period", "reservation", "external"] as const)(
  "[RUN-3] an opening of cause %s whose valve a person opened again ends with their run, also over a restart",
  async (cause) => {
    for (const restarts of [false, true]) {
      const harness = await createAlarmHarness();
      harness.controller("c1");
      harness.channel("11", { onoff: 1, modes: MODES, moisture: 30 });
      harness.watering({ cause });
      const start = harness.iso();
      harness.timers.advance(2 * MINUTE);
      const end = harness.iso(-5 * MINUTE);
      harness.channel("11", { runUntil: end });
      harness.command({ state: "confirmed", target: 1 });
      if (restarts) {
        await harness.restart();
        harness.watering({ cause, start, runEnd: { at: end, by: "relay", commanded: true } });
        harness.channel("11", { onoff: 1, modes: MODES, moisture: 30, runUntil: end });
      }
      harness.timers.advance(6 * MINUTE - 1);
      expect(harness.active()).toEqual([]);
      harness.timers.advance(1);
      expect(harness.find("open-too-long")).toMatchObject({ priority: 1, detail: { cause: "person" } });
    }
  },
);

test("[RUN-3] gives no end to a closed valve, or to an opening of a known person", async () => {
  const harness = await openHarness("external");
  const { id = "" } = harness.find("external-open") ?? {};
  harness.channel("11", { onoff: 2 });
  expect(await harness.service.closeIn({ id, by, minutes: 10 })).toEqual({ ok: false, why: "nothing-open" });
  expect(await harness.service.closeIn({ id: "unknown", by, minutes: 10 })).toEqual({
    ok: false,
    why: "unknown",
  });
});

test("[ORD-7] a clock that is behind raises nothing before its own end of the run", async () => {
  const BEHIND = 30 * MINUTE;
  const harness = await openHarness("person", { heardAt: null });
  const report = (runUntil: string) =>
    harness.channel("11", { runUntil, endsBy: "device", heardAt: harness.iso(), at: harness.iso(BEHIND) });
  const end = harness.iso(BEHIND - 10 * MINUTE);
  report(end);
  harness.timers.advance(9 * MINUTE);
  report(end);
  expect(harness.active()).toEqual([]);
  harness.timers.advance(2 * MINUTE);
  report(end);
  expect(harness.find("open-too-long")).toMatchObject({ priority: 1 });
});

import { expect, test } from "vitest";
import { settle } from "../testing/settle.ts";
import { type AlarmRig, createAlarmRig } from "./testing/alarm-rig.ts";

const MINUTE = 60_000;
const CHANNEL = "channel:11";
const MODES = {
  active: "automatic",
  automatic: { lowerBound: 20, upperBound: null, wateringDuration: 30 },
  reservation: null,
  period: null,
};

async function openRig(cause: "person" | "automatic" | "external", change = {}): Promise<AlarmRig> {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.channel("11", { onoff: 1, modes: MODES, moisture: 30, ...change });
  rig.watering({ cause });
  return rig;
}

test("[RUN-3] an opening that nobody knows of is P2 at once and P1 at the hard cap", async () => {
  const rig = await openRig("external");
  expect(rig.find("external-open")).toMatchObject({ key: CHANNEL, priority: 2, active: true });
  rig.timers.advance(120 * MINUTE - 1);
  expect(rig.find("external-open")?.priority).toBe(2);
  rig.timers.advance(1);
  expect(rig.find("external-open")).toMatchObject({ priority: 1, count: 1 });
  rig.channel("11", { onoff: 2 });
  expect(rig.active()).toEqual([]);
});

test("[RUN-1] the hard cap is the controller's own", async () => {
  const rig = await createAlarmRig();
  rig.capMinutes = 15;
  rig.controller("c1");
  rig.channel("11", { onoff: 1 });
  rig.watering({ cause: "external" });
  rig.timers.advance(15 * MINUTE);
  expect(rig.find("external-open")?.priority).toBe(1);
});

test("[RUN-3] a mode's watering is P2 at its time + 5 min and P1 at the hard cap", async () => {
  const rig = await openRig("automatic");
  rig.timers.advance(35 * MINUTE - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.find("open-too-long")).toMatchObject({ key: CHANNEL, priority: 2 });
  rig.timers.advance(85 * MINUTE);
  expect(rig.find("open-too-long")?.priority).toBe(1);
});

test("[RUN-3] a mode that may take longer than the cap is none before its own time", async () => {
  const rig = await openRig("automatic", {
    modes: { ...MODES, automatic: { ...MODES.automatic, wateringDuration: 300 } },
  });
  rig.timers.advance(305 * MINUTE - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.find("open-too-long")?.priority).toBe(1);
});

test("[ALM-1] a run beyond its end is P1, a minute after it; an extended one is none", async () => {
  const rig = await openRig("person");
  rig.channel("11", { runUntil: rig.iso(-10 * MINUTE) });
  rig.timers.advance(10 * MINUTE);
  rig.channel("11", { runUntil: rig.iso(-5 * MINUTE) });
  rig.timers.advance(6 * MINUTE - 1);
  expect(rig.active()).toEqual([]);
  rig.timers.advance(1);
  expect(rig.find("open-too-long")).toMatchObject({ priority: 1, detail: { cause: "person" } });
  rig.channel("11", { runUntil: rig.iso(-5 * MINUTE) });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] the end of a run stands while its close is under way", async () => {
  const rig = await openRig("person");
  rig.channel("11", { runUntil: rig.iso(-10 * MINUTE) });
  rig.timers.advance(10 * MINUTE);
  rig.channel("11", { runUntil: null });
  rig.timers.advance(MINUTE);
  expect(rig.find("open-too-long")?.priority).toBe(1);
});

test("[RUN-4] a clock that is set moves no alarm", async () => {
  const rig = await openRig("external");
  rig.clock.jump(24 * 60 * MINUTE);
  rig.timers.advance(119 * MINUTE);
  rig.channel("11", { modes: null });
  expect(rig.find("external-open")?.priority).toBe(2);
  rig.timers.advance(MINUTE);
  expect(rig.find("external-open")?.priority).toBe(1);
});

test("[ALM-6] an opening goes on being timed after a restart", async () => {
  const rig = await openRig("external");
  rig.timers.advance(100 * MINUTE);
  const start = rig.iso(100 * MINUTE);
  await rig.restart();
  rig.watering({ cause: "external", start });
  expect(rig.find("external-open")).toMatchObject({ priority: 2, count: 1 });
  rig.timers.advance(20 * MINUTE);
  expect(rig.find("external-open")?.priority).toBe(1);
  rig.watering({ end: rig.iso(), endReason: "closed" });
  expect(rig.active()).toEqual([]);
});

const by = { id: "u", nickname: "Kim" };

test("[RUN-3] nobody closes what was opened at the controller unless the account wants it; then at the hard cap", async () => {
  const rig = await openRig("external");
  rig.timers.advance(130 * MINUTE);
  expect(rig.closes).toEqual([]);
  rig.adopts = true;
  rig.desk.reviewed();
  expect(rig.closes).toMatchObject([
    { controllerId: "c1", number: 1, target: 2, byRelay: true, form: "controller", origin: "relay" },
  ]);
});

test("[RUN-3] an account that wants it has its valve closed at the cap of its controller, not before", async () => {
  const rig = await createAlarmRig();
  rig.adopts = true;
  rig.capMinutes = 15;
  rig.controller("c1");
  rig.channel("11", { onoff: 1 });
  rig.watering({ cause: "external" });
  rig.timers.advance(15 * MINUTE - 1);
  expect(rig.closes).toEqual([]);
  rig.timers.advance(1);
  expect(rig.closes).toHaveLength(1);
});

test("[RUN-3] one tap gives an external opening an end; it is kept over a restart, and closed in the tapper's name", async () => {
  const rig = await openRig("external");
  const { id = "" } = rig.find("external-open") ?? {};
  const start = rig.iso();
  const answer = await rig.desk.closeIn(id, by, 10);
  expect(answer).toMatchObject({ ok: true, alarm: { id, detail: { closesAt: rig.iso(-10 * MINUTE) } } });
  await rig.desk.acknowledge(id, by, null);
  rig.timers.advance(5 * MINUTE);
  await rig.restart();
  rig.watering({ cause: "external", start });
  rig.timers.advance(5 * MINUTE - 1);
  expect(rig.closes).toEqual([]);
  rig.timers.advance(1);
  expect(rig.closes).toMatchObject([{ by, target: 2, byRelay: true }]);
});

test("[RUN-3] a close that the valves do not take is given again, until it is closed", async () => {
  const rig = await openRig("external");
  rig.refuses = true;
  await rig.desk.closeIn(rig.find("external-open")?.id ?? "", by, 10);
  rig.timers.advance(10 * MINUTE);
  await settle();
  rig.timers.advance(MINUTE / 2);
  await settle();
  expect(rig.closes).toHaveLength(2);
  expect(new Set(rig.closes.map(({ commandId }) => commandId)).size).toBe(1);
  rig.channel("11", { onoff: 2 });
  rig.timers.advance(10 * MINUTE);
  await settle();
  expect(rig.closes).toHaveLength(2);
});

test("[RUN-3] who opens it themselves meanwhile makes the run theirs: the end that was given is void", async () => {
  const rig = await openRig("external");
  await rig.desk.closeIn(rig.find("external-open")?.id ?? "", by, 10);
  rig.channel("11", { runUntil: rig.iso(-30 * MINUTE) });
  rig.command({ state: "confirmed", target: 1 });
  expect(rig.active()).toEqual([]);
  rig.timers.advance(20 * MINUTE);
  await settle();
  expect(rig.closes).toEqual([]);
  rig.timers.advance(11 * MINUTE);
  expect(rig.find("open-too-long")?.priority).toBe(1);
});

test("[RUN-3] what is not open, or was opened by somebody known, gets no end this way", async () => {
  const rig = await openRig("external");
  const { id = "" } = rig.find("external-open") ?? {};
  rig.channel("11", { onoff: 2 });
  expect(await rig.desk.closeIn(id, by, 10)).toEqual({ ok: false, why: "nothing-open" });
  expect(await rig.desk.closeIn("nobody", by, 10)).toEqual({ ok: false, why: "unknown" });
});

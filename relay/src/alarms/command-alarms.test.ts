import { expect, test } from "vitest";
import { createAlarmRig } from "./testing/alarm-rig.ts";

const MINUTE = 60_000;

async function rigWithChannel(onoff: 1 | 2) {
  const rig = await createAlarmRig();
  rig.controller("c1");
  rig.channel("11", { onoff, heardAt: rig.iso(MINUTE) });
  return rig;
}

test("[ALM-1] a command that nobody confirms is P1, and over when the state arrives", async () => {
  const rig = await rigWithChannel(1);
  rig.command({ state: "requested", target: 2 });
  rig.command({ state: "unconfirmed", target: 2, reason: "no-confirmation" });
  expect(rig.find("command-unconfirmed")).toMatchObject({ key: "channel:11", priority: 1, active: true });
  rig.clock.advance(MINUTE);
  rig.channel("11", { onoff: 2, heardAt: rig.iso() });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] a state that was known before the command was given proves nothing", async () => {
  const rig = await rigWithChannel(2);
  rig.command({ state: "unconfirmed", target: 2 });
  rig.channel("11", { moisture: 30 });
  expect(rig.active()).toEqual(["command-unconfirmed channel:11"]);
  rig.command({ state: "confirmed", target: 2 });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] another command takes the place of one that failed", async () => {
  const rig = await rigWithChannel(2);
  rig.command({ state: "failed", reason: "store-down" });
  expect(rig.find("command-failed")).toMatchObject({ priority: 1, detail: { reason: "store-down" } });
  rig.command({ id: "k2", state: "requested" });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] an opening that was not carried out is wanted until the end of its run, also over a restart", async () => {
  const rig = await rigWithChannel(2);
  rig.command({ state: "failed", runUntil: rig.iso(-10 * MINUTE) });
  rig.timers.advance(5 * MINUTE);
  await rig.restart();
  expect(rig.active()).toEqual(["command-failed channel:11"]);
  rig.timers.advance(5 * MINUTE);
  expect(rig.active()).toEqual([]);
});

test("[ALM-2] a command of a channel that was deleted meanwhile is no alarm", async () => {
  const rig = await rigWithChannel(1);
  rig.writer.del("channel:11");
  rig.command({ state: "failed", target: 2, reason: "gone" });
  expect(rig.active()).toEqual([]);
});

test("[ALM-1] a refusal was said to the person's face and is none; nor is a command that moves no valve", async () => {
  const rig = await rigWithChannel(2);
  rig.command({ state: "refused", reason: "controller-offline" });
  rig.command({ state: "failed", target: null });
  expect(rig.shown()).toEqual([]);
});

import { describe, expect, test } from "vitest";
import type { Moment } from "../watering-engine/state.ts";
import {
  type ChannelModes,
  look,
  type ModesCommand,
  reportOfModes,
  takenOver,
  told,
  untoldModes,
} from "./channel-modes.ts";
import { readModes } from "./controller-messages.ts";

const NOON = Date.parse("2026-11-21T03:00:00Z");
const AT = new Date(NOON).toISOString();
const moment = (ms: number): Moment => ({ now: NOON + ms, monotonic: 1_000 + ms });
const MINUTE = 60_000;

const automatic: ModesCommand = {
  kind: "automatic",
  command: { setting: { lowerBound: 30, upperBound: 34, wateringDuration: 8 }, at: AT },
};
const once: ModesCommand = {
  kind: "period",
  command: { setting: { wateringInterval: 20, wateringDuration: 5, repeat: false }, at: AT },
};
const charge = (active: "none" | "automatic" | "period", revision: number): ModesCommand => ({
  kind: "mode",
  command: { active, revision, at: AT },
});
const hear = (modes: ChannelModes, ...commands: ModesCommand[]) =>
  commands.reduce((heard, command) => told(heard, command, moment(0)), modes);
const fresh = () => untoldModes(moment(0), true);

/** Asks every half minute and keeps what was done. */
function play(begin: ChannelModes, until: number, moisture: number | null = null) {
  let modes = begin;
  const actions: [minute: number, kind: string][] = [];
  for (let ms = 0; ms <= until; ms += 30_000) {
    const next = look(modes, moisture, moment(ms));
    modes = next.modes;
    if (next.action.kind !== "nothing") actions.push([ms / MINUTE, next.action.kind]);
  }
  return { modes, actions };
}

describe("the modes of a virtual controller's channel", () => {
  test("[demo] after power-up it waters nothing and says nothing of modes until it is told", () => {
    expect(play(fresh(), 60 * MINUTE, 5).actions).toEqual([]);
    expect(reportOfModes(fresh())).toEqual({});
  });

  test("[demo] told an automatic mode it waters while dry, and reports setting and flag", () => {
    const { modes, actions } = play(hear(fresh(), automatic, charge("automatic", 3)), 20 * MINUTE, 20);
    expect(actions).toEqual([
      [0, "open"],
      [8, "close"],
      [18, "open"],
    ]);
    expect(reportOfModes(modes)).toMatchObject({
      automatic: 1,
      automaticLowMoisture: 30,
      automaticHighMoisture: 34,
      automaticWatering: 8,
      period: 0,
      reservation: 0,
      modeRevision: 3,
      incomplete: null,
    });
  });

  test("[demo] the flag of a period without repeat goes out after its run, and the same saying does not light it again", () => {
    const { modes, actions } = play(hear(fresh(), once, charge("period", 2)), 60 * MINUTE);
    expect(actions).toEqual([
      [20, "open"],
      [25, "close"],
    ]);
    expect(reportOfModes(modes)).toMatchObject({
      period: 0,
      modeRevision: 2,
      periodWatering: 5,
      periodRepeat: 2,
    });
    expect(reportOfModes(hear(modes, once, charge("period", 2)))).toMatchObject({ period: 0 });
    expect(reportOfModes(hear(modes, once, charge("period", 3)))).toMatchObject({ period: 1 });
  });

  test("[demo] a person who takes the valve over ends the run, and with it a mode that was to run once", () => {
    const { modes } = play(hear(fresh(), once, charge("period", 2)), 22 * MINUTE);
    expect(modes.engine.run).not.toBeNull();
    expect(reportOfModes(takenOver(modes, moment(22 * MINUTE)))).toMatchObject({ period: 0 });
  });

  test("[demo] a mode that lacks something says so and waters nothing", () => {
    const modes = hear(untoldModes(moment(0), false), automatic, charge("automatic", 1));
    expect(play(modes, 30 * MINUTE, 5).actions).toEqual([]);
    expect(reportOfModes(modes)).toMatchObject({ automatic: 1, incomplete: "sensor" });
  });

  test("[demo] settings are read by the contract's schemas, and others are refused with where and why", () => {
    expect(readModes("automatic", JSON.stringify(automatic.command))).toEqual({
      ok: true,
      command: automatic,
    });
    expect(readModes("mode", JSON.stringify({ active: "flood", at: AT }))).toMatchObject({ ok: false });
    expect(readModes("period", JSON.stringify({ setting: { wateringInterval: 0 }, at: AT }))).toMatchObject({
      ok: false,
    });
    expect(readModes("reservation", "{")).toMatchObject({ ok: false });
  });
});

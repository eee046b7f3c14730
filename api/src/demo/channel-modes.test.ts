import { describe, expect, test } from "vitest";
import type { Moment } from "../valves/modes/engine-state.ts";
import {
  afterCommand,
  type ChannelModes,
  look,
  type ModesCommand,
  reportOfModes,
  takenOver,
  unconfiguredModes,
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
const afterCommands = (modes: ChannelModes, ...commands: ModesCommand[]) =>
  commands.reduce((known, command) => afterCommand(known, command, moment(0)), modes);
const fresh = () => unconfiguredModes(moment(0), true);

/** Run the engine every half minute and collect its actions. */
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
  test("[demo] waters nothing and reports no modes after power-up until it receives settings", () => {
    expect(play(fresh(), 60 * MINUTE, 5).actions).toEqual([]);
    expect(reportOfModes(fresh())).toEqual({});
  });

  test("[demo] waters while dry in automatic mode, and reports setting and flag", () => {
    const { modes, actions } = play(
      afterCommands(fresh(), automatic, charge("automatic", 3)),
      20 * MINUTE,
      20,
    );
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

  test("[demo] clears the flag of a period without repeat after its run, and ignores the repeated setting", () => {
    const { modes, actions } = play(afterCommands(fresh(), once, charge("period", 2)), 60 * MINUTE);
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
    expect(reportOfModes(afterCommands(modes, once, charge("period", 2)))).toMatchObject({ period: 0 });
    expect(reportOfModes(afterCommands(modes, once, charge("period", 3)))).toMatchObject({ period: 1 });
  });

  test("[demo] a manual command ends the run, and with it a mode that runs once", () => {
    const { modes } = play(afterCommands(fresh(), once, charge("period", 2)), 22 * MINUTE);
    expect(modes.engine.run).not.toBeNull();
    expect(reportOfModes(takenOver(modes, moment(22 * MINUTE)))).toMatchObject({ period: 0 });
  });

  test("[demo] reports an incomplete mode and waters nothing", () => {
    const modes = afterCommands(unconfiguredModes(moment(0), false), automatic, charge("automatic", 1));
    expect(play(modes, 30 * MINUTE, 5).actions).toEqual([]);
    expect(reportOfModes(modes)).toMatchObject({ automatic: 1, incomplete: "sensor" });
  });

  test("[demo] reads settings by the contract's schemas, and refuses others with path and reason", () => {
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

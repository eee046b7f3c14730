import { describe, expect, test } from "vitest";
import type { Moment } from "../valves/modes/engine-state.ts";
import {
  type ChannelModel,
  closedChannel,
  type OnOff,
  reportedValve,
  step,
  TURN_MS,
} from "./virtual-controller.ts";
import { addedAt, SOIL_SOAK, withWater } from "./wetness.ts";

const NOON = Date.parse("2026-11-21T03:00:00Z");
const after = (ms: number): Moment => ({ now: NOON + ms, monotonic: 1_000 + ms });

const openCommand = (commandId: string, rest: Partial<Extract<OnOff, { state: 1 }>> = {}): OnOff => ({
  state: 1,
  commandId,
  expiresAt: NOON + 25_000,
  maxRunSeconds: 60,
  ...rest,
});

/** Apply commands and ticks to one channel and collect its reports. */
function play(...inputs: readonly (readonly [ms: number, command?: OnOff])[]) {
  let channel: ChannelModel = closedChannel(after(0));
  const reports: [ms: number, valve: 1 | 2, commandId: string | null][] = [];
  for (const [ms, command] of inputs) {
    const next = step(SOIL_SOAK, channel, command ? { kind: "onoff", command } : { kind: "tick" }, after(ms));
    channel = next.channel;
    if (next.report) reports.push([ms, reportedValve(channel.valve), channel.commandId]);
  }
  return { channel, reports };
}

describe("virtual controller", () => {
  test("[demo] shows the old state while the valve turns, then reports open with the command's id", () => {
    const turning = play([0, openCommand("a")], [TURN_MS - 1]);
    expect(turning.reports).toEqual([]);
    expect(reportedValve(turning.channel.valve)).toBe(2);
    expect(play([0, openCommand("a")], [TURN_MS]).reports).toEqual([[TURN_MS, 1, "a"]]);
  });

  test("[CMD-4] ignores an open after its expiry", () => {
    const { channel, reports } = play([25_001, openCommand("late")], [30_000]);
    expect(channel.valve.phase).toBe("closed");
    expect(reports).toEqual([]);
  });

  test("[CMD-4] ignores an open whose command was executed before, even after a close", () => {
    const close: OnOff = { state: 2, commandId: "b" };
    const { channel } = play(
      [0, openCommand("a")],
      [2_000],
      [3_000, close],
      [5_000],
      [6_000, openCommand("a")],
      [9_000],
    );
    expect(channel.valve.phase).toBe("closed");
    expect(channel.commandId).toBe("b");
  });

  test("[demo] a duplicate open does not extend the run", () => {
    const { channel } = play([0, openCommand("a")], [2_000], [10_000, openCommand("a")]);
    expect(channel.valve).toMatchObject({ phase: "open", runUntil: NOON + 60_000 });
  });

  test("[CMD-4] always obeys a close: open, turning, closed, without an id", () => {
    const close: OnOff = { state: 2, commandId: null };
    expect(play([0, openCommand("a")], [2_000], [3_000, close], [5_000]).reports.at(-1)).toEqual([
      5_000,
      2,
      "a",
    ]);
    expect(play([0, openCommand("a")], [500, close], [5_000]).channel.valve.phase).toBe("closed");
    expect(play([0, { state: 2, commandId: "c" }]).reports).toEqual([[0, 2, "c"]]);
  });

  test("[RUN-2] closes by itself at the end of its run", () => {
    const { reports, channel } = play([0, openCommand("a")], [2_000], [59_999], [60_000], [60_000 + TURN_MS]);
    expect(reports).toEqual([
      [2_000, 1, "a"],
      [60_000 + TURN_MS, 2, "a"],
    ]);
    expect(channel.valve.phase).toBe("closed");
  });

  test("[RUN-1] runs ten minutes without a given time, and never longer than a day", () => {
    const plain = play([0, openCommand("a", { maxRunSeconds: null })], [2_000]);
    expect(plain.channel.valve).toMatchObject({ runUntil: NOON + 600_000 });
    const greedy = play([0, openCommand("a", { maxRunSeconds: 90_000 })], [2_000]);
    expect(greedy.channel.valve).toMatchObject({ runUntil: NOON + 86_400_000 });
  });

  test("[RUN-2] a new open while open sets a new end and is reported at once", () => {
    const { reports, channel } = play(
      [0, openCommand("a")],
      [2_000],
      [10_000, openCommand("b", { maxRunSeconds: 300 })],
    );
    expect(reports.at(-1)).toEqual([10_000, 1, "b"]);
    expect(channel.valve).toMatchObject({ runUntil: NOON + 310_000 });
  });

  test("[RUN-4] a wall clock set back by a day does not keep the valve open", () => {
    const { channel: opened } = play([0, openCommand("a")], [2_000]);
    const jumped: Moment = { now: NOON - 86_400_000, monotonic: 1_000 + 60_000 };
    expect(step(SOIL_SOAK, opened, { kind: "tick" }, jumped).channel.valve.phase).toBe("closing");
  });

  test("[demo] moisture rises while open, stays bounded, and falls afterwards", () => {
    const { channel: opened } = play([0, openCommand("a", { maxRunSeconds: 7_200 })], [2_000]);
    const added = (channel: ChannelModel, ms: number) => addedAt(SOIL_SOAK, channel.wetness, 1_000 + ms);
    expect(added(opened, 2_000)).toBe(0);
    expect(added(opened, 62_000)).toBeGreaterThan(1.5);
    expect(added(opened, 7_000_000)).toBeLessThanOrEqual(SOIL_SOAK.most);

    const { channel: closed } = play([0, openCommand("a")], [2_000], [60_000], [62_000]);
    const wettest = added(closed, 62_000);
    expect(added(closed, 62_000 + SOIL_SOAK.dryMs)).toBeCloseTo(wettest / Math.E);
    expect(added(closed, 62_000 + 20 * SOIL_SOAK.dryMs)).toBeLessThan(0.01);
  });

  test("[demo] adds water to a real value only, up to the ceiling", () => {
    expect(withWater(SOIL_SOAK, { moisture: 20.5, battery: 80 }, 3.25)).toEqual({
      moisture: 23.75,
      battery: 80,
    });
    expect(withWater(SOIL_SOAK, { moisture: 55 }, 14)).toEqual({ moisture: 60 });
    expect(withWater(SOIL_SOAK, { moisture: null }, 3)).toEqual({ moisture: null });
    expect(withWater(SOIL_SOAK, { l: 4 }, 3)).toEqual({ l: 4 });
  });
});

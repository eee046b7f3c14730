import { describe, expect, it } from "vitest";
import type { ModeValues } from "./mode-model.ts";
import { commandsOf, type ModeCommand, resetCommand } from "./use-mode-calls.ts";

const NONE: ModeValues = { low: "", high: "", time: "", interval: "", minutes: "", repeat: null };
const values = (over: Partial<ModeValues>): ModeValues => ({ ...NONE, ...over });
const linesOf = (commands: readonly ModeCommand[]) =>
  commands.map(({ command, payload }) => `${command} ${payload}`);

describe("single-value commands of a COT sensor", () => {
  it("[spec 7] set a new mode value by value, the duration before the value that starts it", () => {
    expect(linesOf(commandsOf("automatic", NONE, values({ low: "20", high: "30", minutes: "5" })))).toEqual([
      "automatic/watering 5",
      "automatic/low 20",
      "automatic/high 30",
    ]);
    expect(
      linesOf(commandsOf("reservation", NONE, values({ time: "6:30", minutes: "15", repeat: true }))),
    ).toEqual(["reservation/watering 15", "reservation/repeat 1", "reservation/time 06:30"]);
    expect(
      linesOf(commandsOf("period", NONE, values({ interval: "240", minutes: "5", repeat: false }))),
    ).toEqual(["period/watering 5", "period/repeat 2", "period/time/m 240"]);
  });

  it("[spec 5] always send a reservation's repeat, and a period's only if the user touched it", () => {
    expect(linesOf(commandsOf("reservation", NONE, values({ minutes: "15" })))).toEqual([
      "reservation/watering 15",
      "reservation/repeat 2",
    ]);
    expect(linesOf(commandsOf("period", NONE, values({ minutes: "15" })))).toEqual(["period/watering 15"]);
  });

  it("[modes] send only values that differ, in any notation", () => {
    const before = values({ low: "20", high: "30", minutes: "5" });
    expect(linesOf(commandsOf("automatic", before, { ...before, low: "22,5", high: "30.0" }))).toEqual([
      "automatic/low 22.5",
    ]);
    const reserved = values({ time: "06:30", minutes: "5", repeat: true });
    expect(linesOf(commandsOf("reservation", reserved, { ...reserved, repeat: false }))).toEqual([
      "reservation/repeat 2",
    ]);
  });

  it("[modes] send the watering time again if nothing differs, to activate the mode", () => {
    const before = values({ interval: "240", minutes: "5", repeat: true });
    expect(linesOf(commandsOf("period", before, before))).toEqual(["period/watering 5"]);
  });

  it("[modes] keep the minimum below the maximum at every step", () => {
    const bounds = ["", "10", "20", "30", "40"];
    for (const oldLow of bounds)
      for (const oldHigh of bounds)
        for (const low of bounds)
          for (const high of bounds) {
            const [before, after] = [
              values({ low: oldLow, high: oldHigh, minutes: "5" }),
              values({ low, high, minutes: "5" }),
            ];
            const isPair = (a: string, b: string) => a === "" || b === "" || Number(a) < Number(b);
            if (!isPair(oldLow, oldHigh) || !isPair(low, high)) continue;
            let now = { low: oldLow, high: oldHigh };
            for (const { sets, payload } of commandsOf("automatic", before, after)) {
              if (sets === "reset") now = { low: "", high: "" };
              else now = { ...now, [sets]: `${payload}` };
              expect(isPair(now.low, now.high)).toBe(true);
            }
            expect(now).toMatchObject({ low, high });
          }
  });

  it("[modes] clear a single value with a reset, followed by the remaining values", () => {
    const before = values({ low: "20", high: "30", minutes: "5" });
    expect(linesOf(commandsOf("automatic", before, { ...before, high: "" }))).toEqual([
      "automatic/reset 1",
      "automatic/watering 5",
      "automatic/low 20",
    ]);
    const reserved = values({ time: "06:30", minutes: "5", repeat: true });
    expect(linesOf(commandsOf("reservation", reserved, { ...reserved, time: "" }))).toEqual([
      "reservation/reset 1",
      "reservation/watering 5",
      "reservation/repeat 1",
    ]);
  });

  it("[spec 7] send payload 1 for a reset", () => {
    expect(linesOf([resetCommand("period")])).toEqual(["period/reset 1"]);
  });
});

import { describe, expect, it } from "vitest";
import { commandsOf, type ModeCommand, resetCommand, tellInOrder } from "./mode-commands.ts";
import type { ModeValues } from "./mode-model.ts";

const NONE: ModeValues = { low: "", high: "", time: "", interval: "", minutes: "", repeat: null };
const values = (over: Partial<ModeValues>): ModeValues => ({ ...NONE, ...over });
const told = (commands: readonly ModeCommand[]) =>
  commands.map(({ command, payload }) => `${command} ${payload}`);

describe("the older commands of a COT sensor", () => {
  it("[spec 7] a mode that was not set is told value by value, how long before what begins it", () => {
    expect(told(commandsOf("automatic", NONE, values({ low: "20", high: "30", minutes: "5" })))).toEqual([
      "automatic/watering 5",
      "automatic/low 20",
      "automatic/high 30",
    ]);
    expect(
      told(commandsOf("reservation", NONE, values({ time: "6:30", minutes: "15", repeat: true }))),
    ).toEqual(["reservation/watering 15", "reservation/repeat 1", "reservation/time 06:30"]);
    expect(
      told(commandsOf("period", NONE, values({ interval: "240", minutes: "5", repeat: false }))),
    ).toEqual(["period/watering 5", "period/repeat 2", "period/time/m 240"]);
  });

  it("[spec 5] the reservation's repeat is always said, the period's only by who has touched it", () => {
    expect(told(commandsOf("reservation", NONE, values({ minutes: "15" })))).toEqual([
      "reservation/watering 15",
      "reservation/repeat 2",
    ]);
    expect(told(commandsOf("period", NONE, values({ minutes: "15" })))).toEqual(["period/watering 15"]);
  });

  it("[modes] only what differs is told, in whatever writing", () => {
    const before = values({ low: "20", high: "30", minutes: "5" });
    expect(told(commandsOf("automatic", before, { ...before, low: "22,5", high: "30.0" }))).toEqual([
      "automatic/low 22.5",
    ]);
    const reserved = values({ time: "06:30", minutes: "5", repeat: true });
    expect(told(commandsOf("reservation", reserved, { ...reserved, repeat: false }))).toEqual([
      "reservation/repeat 2",
    ]);
  });

  it("[modes] where nothing differs the watering time is told again: it puts the mode in charge", () => {
    const before = values({ interval: "240", minutes: "5", repeat: true });
    expect(told(commandsOf("period", before, before))).toEqual(["period/watering 5"]);
  });

  it("[modes] on no step of the way does the minimum reach the maximum", () => {
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

  it("[modes] a value can only be taken away with all of them: a reset first, and the rest after it", () => {
    const before = values({ low: "20", high: "30", minutes: "5" });
    expect(told(commandsOf("automatic", before, { ...before, high: "" }))).toEqual([
      "automatic/reset 1",
      "automatic/watering 5",
      "automatic/low 20",
    ]);
    const reserved = values({ time: "06:30", minutes: "5", repeat: true });
    expect(told(commandsOf("reservation", reserved, { ...reserved, time: "" }))).toEqual([
      "reservation/reset 1",
      "reservation/watering 5",
      "reservation/repeat 1",
    ]);
  });

  it("[spec 7] a reset has payload 1", () => {
    expect(told([resetCommand("period")])).toEqual(["period/reset 1"]);
  });

  it("[modes] what is not taken ends the row, and what was taken before is known", async () => {
    const commands = commandsOf("automatic", NONE, values({ low: "20", high: "30", minutes: "5" }));
    const sent: string[] = [];
    const outcome = await tellInOrder(commands, async ({ command }) => {
      sent.push(command);
      return sent.length < 2 ? { kind: "taken" } : { kind: "refused", reason: "validation" };
    });
    expect(sent).toEqual(["automatic/watering", "automatic/low"]);
    expect(told(outcome.taken)).toEqual(["automatic/watering 5"]);
    expect(outcome.failed).toMatchObject({ reason: "validation", sure: true, command: { sets: "low" } });
  });

  it("[modes] an answer that did not come ends the row as one that nobody is sure of", async () => {
    const outcome = await tellInOrder([resetCommand("period")], async () => ({
      kind: "unsure",
      reason: "network",
    }));
    expect(outcome).toMatchObject({ taken: [], failed: { reason: "network", sure: false } });
  });
});

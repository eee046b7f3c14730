import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { createRefresher } from "./refresher.ts";

const REST = 60_000;
const ROUND = 600_000;

async function start(answer: (count: number) => Promise<string> = async (count) => `${count}`) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const begin = clock.monotonic();
  const answers: string[] = [];
  const asked: number[] = [];
  const refresher = createRefresher({
    ask: () => {
      asked.push(clock.monotonic() - begin);
      return answer(asked.length);
    },
    onAnswer: (text) => answers.push(text),
    onFailure: (error) => answers.push(String(error)),
    restMs: REST,
    roundMs: ROUND,
    clock,
    timers,
  });
  await timers.pass(0);
  return { pass: timers.pass, timers, refresher, answers, asked };
}

describe("refresher", () => {
  it("[WAT-3] loads at once, again soon after a change, and no more often than allowed while changes continue", async () => {
    const { refresher, pass, asked, answers } = await start();
    expect(answers).toEqual(["1"]);
    for (let turn = 0; turn < 1_300; turn += 1) {
      refresher.changed();
      await pass(100);
    }
    expect(asked).toEqual([0, 2_000, 12_000, 62_000, 122_000]);
    expect(answers).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("[WAT-3] loads soon after a change, once for simultaneous changes", async () => {
    const { refresher, pass, asked } = await start();
    await pass(100_000);
    refresher.changed();
    refresher.changed();
    await pass(1_000);
    expect(asked).toEqual([0, 100_400]);
  });

  it("[MODE-2] loads soon after a change that a user waits for, however often it has loaded before", async () => {
    const { refresher, pass, asked } = await start();
    for (const _ of [1, 2, 3]) {
      refresher.changed();
      await pass(REST);
    }
    refresher.again();
    const before = asked.length;
    refresher.changed();
    await pass(5_000);
    expect(asked).toHaveLength(before);
    refresher.soon();
    await pass(500);
    expect(asked).toHaveLength(before + 1);
    for (let turn = 0; turn < 40; turn += 1) {
      refresher.soon();
      await pass(100);
    }
    expect(asked).toHaveLength(before + 3);
  });

  it("[WAT-3] reloads in regular intervals without a change", async () => {
    const { pass, asked } = await start();
    await pass(2 * ROUND);
    expect(asked).toEqual([0, ROUND, 2 * ROUND]);
  });

  it("[irrigation] reports a failure and tries again in the next interval", async () => {
    const { pass, answers } = await start(async (count) => {
      if (count === 1) throw new Error("away");
      return "there";
    });
    expect(answers).toEqual(["Error: away"]);
    await pass(ROUND);
    expect(answers).toEqual(["Error: away", "there"]);
  });

  it("[irrigation] drops an outdated answer", async () => {
    const waiting: ((text: string) => void)[] = [];
    const { refresher, answers, pass } = await start(() => new Promise((resolve) => waiting.push(resolve)));
    refresher.again();
    waiting[1]?.("new");
    waiting[0]?.("old");
    await pass(0);
    expect(answers).toEqual(["new"]);
  });

  it("[irrigation] stops when the page is left", async () => {
    const { refresher, pass, asked, timers } = await start();
    refresher.changed();
    refresher.stop();
    refresher.changed();
    await pass(2 * ROUND);
    expect(asked).toEqual([0]);
    expect(timers.pending).toBe(0);
  });
});

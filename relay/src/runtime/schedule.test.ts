import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCronSchedule } from "./schedule.ts";

const MINUTE_MS = 60_000;

describe("[jobs] at wall-clock times", () => {
  let errors: unknown[];
  const jobs: { cancel(): void }[] = [];
  beforeEach(() => {
    errors = [];
    vi.useFakeTimers();
    vi.setSystemTime(new Date("2026-11-23T18:30:10Z"));
  });
  afterEach(() => {
    for (const job of jobs.splice(0)) job.cancel();
    vi.useRealTimers();
  });
  const schedule = () => createCronSchedule("Asia/Seoul", (error) => errors.push(error));

  it("[jobs] run at their time in the zone of the farm API, and not after a cancellation", async () => {
    const at: string[] = [];
    const job = schedule().at("37 3 * * *", () => void at.push(new Date().toISOString()));
    await vi.advanceTimersByTimeAsync(26 * 60 * MINUTE_MS);
    // 03:37 in Seoul.
    expect(at.map((time) => time.slice(0, 16))).toEqual(["2026-11-23T18:37", "2026-11-24T18:37"]);
    job.cancel();
    await vi.advanceTimersByTimeAsync(26 * 60 * MINUTE_MS);
    expect(at).toHaveLength(2);
  });

  it("[jobs] are not started again while they still run", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const job = schedule().at("* * * * *", () => {
      begun += 1;
      return promise;
    });
    jobs.push(job);
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    expect(begun).toBe(1);
    resolve();
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(begun).toBeGreaterThan(1);
  });

  it("[jobs] that fail are reported, and run again the next time", async () => {
    let begun = 0;
    const job = schedule().at("* * * * *", async () => {
      begun += 1;
      throw new Error("the store is away");
    });
    jobs.push(job);
    await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
    expect(begun).toBe(3);
    expect(errors).toHaveLength(3);
  });
});

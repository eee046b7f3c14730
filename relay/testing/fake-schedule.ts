import type { Schedule } from "../src/runtime/schedule.ts";

/** A schedule whose times the test triggers. */
export interface FakeSchedule extends Schedule {
  /** Run the jobs of this time. */
  strike(when: string): Promise<void>;
}

export function createFakeSchedule(): FakeSchedule {
  const jobs = new Set<{ readonly when: string; run(): void | Promise<void> }>();
  return {
    at(when, run) {
      const job = { when, run };
      jobs.add(job);
      return { cancel: () => void jobs.delete(job) };
    },
    async strike(when) {
      for (const job of jobs) if (job.when === when) await job.run();
    },
  };
}

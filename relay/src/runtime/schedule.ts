import cron from "node-cron";

/** Jobs at wall-clock times. Delays use `Timers`. */
export interface Schedule {
  /**
   * Run a job at its scheduled times; a run that is still in progress is not started twice.
   *
   * @param when a cron expression, in the farm API's time zone
   */
  at(when: string, run: () => void | Promise<void>): { cancel(): void };
}

/** Cron times of the relay's jobs, at minutes that differ from the farm API's. */
export const JOB_TIMES = {
  /** Remove expired data from the embedded store. */
  store: "23 * * * *",
  /** Revoke displays that are no longer used. */
  displays: "37 * * * *",
} as const;

/**
 * Create a schedule based on node-cron.
 *
 * @param timezone an IANA name, such as `Asia/Seoul`
 */
export function createCronSchedule(timezone: string, onError: (error: unknown) => void): Schedule {
  return {
    at(when, run) {
      const job = async (): Promise<void> => {
        try {
          await run();
        } catch (error) {
          onError(error);
        }
      };
      const task = cron.schedule(when, job, { timezone, noOverlap: true });
      return {
        cancel() {
          Promise.resolve(task.destroy()).catch(onError);
        },
      };
    },
  };
}

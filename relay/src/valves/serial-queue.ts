import type { Log } from "../runtime/log.ts";

/** Jobs that wait for one channel. Beyond it reports are dropped and openings refused. */
export const QUEUE_LIMIT = 64;
/**
 * Additional places for jobs that must not be lost: closes, answers of the farm API, the channel's own timer.
 */
export const QUEUE_RESERVE = 64;

/** Run the jobs of a channel one after the other. Everything that happens to a channel is such a job. */
export interface SerialQueue {
  /**
   * Queue a job. Return false when the queue is full: the job will not run. An urgent job may use the
   * reserve, but runs in the same order.
   */
  post(job: () => Promise<void>, urgency?: "ordinary" | "urgent"): boolean;
  readonly waiting: number;
  close(): void;
}

export function createSerialQueue(log: Log): SerialQueue {
  const jobs: (() => Promise<void>)[] = [];
  let running = false;
  let closed = false;

  const drain = async (): Promise<void> => {
    running = true;
    for (let job = jobs.shift(); job && !closed; job = jobs.shift()) {
      try {
        await job();
      } catch (error) {
        log.error({ event: "valve-step-failed", err: error }, "valve step failed");
      }
    }
    running = false;
  };

  return {
    post(job, urgency = "ordinary") {
      const limit = urgency === "urgent" ? QUEUE_LIMIT + QUEUE_RESERVE : QUEUE_LIMIT;
      if (closed || jobs.length >= limit) return false;
      jobs.push(job);
      if (!running) void drain();
      return true;
    },
    get waiting() {
      return jobs.length;
    },
    close() {
      closed = true;
      jobs.length = 0;
    },
  };
}

import type { Log } from "../ports/log.ts";

/** Jobs waiting for one channel; reports beyond it are dropped, openings refused. */
export const MAILBOX_LIMIT = 64;
/** Places beyond it for what must not be lost: closings, answers of the farm API, the channel's own timer. */
export const MAILBOX_RESERVE = 64;

/** One thing after the other: everything that happens to a channel goes through its mailbox. */
export interface Mailbox {
  /** False when it is full: the job will not run. An urgent one has the reserve too; its turn is no other. */
  post(job: () => Promise<void>, urgency?: "ordinary" | "urgent"): boolean;
  readonly waiting: number;
  close(): void;
}

export function createMailbox(log: Log): Mailbox {
  const jobs: (() => Promise<void>)[] = [];
  let running = false;
  let closed = false;

  const drain = async (): Promise<void> => {
    running = true;
    for (let job = jobs.shift(); job && !closed; job = jobs.shift()) {
      try {
        await job();
      } catch (error) {
        log.error({ err: error }, "a valve's step failed");
      }
    }
    running = false;
  };

  return {
    post(job, urgency = "ordinary") {
      const limit = urgency === "urgent" ? MAILBOX_LIMIT + MAILBOX_RESERVE : MAILBOX_LIMIT;
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

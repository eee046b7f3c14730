import type { Log } from "../ports.ts";

/** Jobs waiting for one channel; reports beyond it are dropped, presses refused. */
export const MAILBOX_LIMIT = 64;

/** One thing after the other: everything that happens to a channel goes through its mailbox. */
export interface Mailbox {
  /** False when it is full: the job will not run. */
  post(job: () => Promise<void>): boolean;
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
    post(job) {
      if (closed || jobs.length >= MAILBOX_LIMIT) return false;
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

import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database/database.ts";
import type { Reading } from "../history/reading.ts";
import { addRejection, type Report } from "./report.ts";

/** Readings per write: few enough that a device's message waits at most a tenth of a second. */
export const BATCH = 500;

/** Attempts of a write, a second apart, while the database is unavailable. */
const TRIES = 120;
const PAUSE_MS = 1_000;

/** A reading and its line. */
export interface Sourced {
  readonly line: number;
  readonly reading: Reading;
}

export interface ReadingWriter {
  /** Collect readings, and write full batches. @throws DatabaseError after a long outage */
  add(items: readonly Sourced[], report: Report): Promise<void>;
  /** Write the rest. */
  finish(report: Report): Promise<void>;
}

export interface WriterDeps {
  /** Store a batch completely or not at all. @returns the new readings; throws DatabaseError */
  readonly store: (readings: readonly Reading[]) => Promise<readonly Reading[]>;
  readonly signal: AbortSignal;
  /** Wait between two attempts. */
  readonly wait?: (signal: AbortSignal) => Promise<void>;
}

const aSecond = (signal: AbortSignal): Promise<void> => sleep(PAUSE_MS, undefined, { signal });

/** Write readings in batches; retry while the database is unavailable. */
export function createReadingWriter({ store, signal, wait = aSecond }: WriterDeps): ReadingWriter {
  let waiting: Sourced[] = [];

  async function insist(readings: readonly Reading[]): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await store(readings)).length;
      } catch (error) {
        const isAway = error instanceof DatabaseError && error.temporary;
        if (!isAway || tries >= TRIES) throw error;
        await wait(signal);
      }
    }
  }

  async function write(items: readonly Sourced[], report: Report): Promise<void> {
    const stored = await insist(items.map(({ reading }) => reading));
    report.readingsStored += stored;
    report.readingsKnown += items.length - stored;
  }

  /** Write one by one, so that one refused reading does not lose the others. */
  async function writeOneByOne(items: readonly Sourced[], report: Report): Promise<void> {
    for (const item of items) {
      try {
        await write([item], report);
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.temporary) throw error;
        report.valuesRejected += 1;
        addRejection(report, item.line, { column: null, reason: "not-storable", value: "" });
      }
    }
  }

  async function writeBatch(items: readonly Sourced[], report: Report): Promise<void> {
    try {
      await write(items, report);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.temporary) throw error;
      await writeOneByOne(items, report);
    }
  }

  return {
    async add(items, report) {
      waiting.push(...items);
      while (waiting.length >= BATCH) {
        const batch = waiting.slice(0, BATCH);
        waiting = waiting.slice(BATCH);
        signal.throwIfAborted();
        await writeBatch(batch, report);
      }
    },
    async finish(report) {
      const batch = waiting;
      waiting = [];
      if (batch.length > 0) await writeBatch(batch, report);
    },
  };
}

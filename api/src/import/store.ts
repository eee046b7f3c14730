import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database/database.ts";
import type { Reading } from "../ingest/reading.ts";
import { addRejection, type Report } from "./report.ts";

/** Readings in one write: few enough that a device's message waits for a tenth of a second at most. */
export const BATCH = 500;

/** How often a write is tried again, a second apart, while the database is away. */
const TRIES = 120;
const PAUSE_MS = 1_000;

/** A reading and the line that it comes from. */
export interface Sourced {
  readonly line: number;
  readonly reading: Reading;
}

export interface ReadingWriter {
  /** Takes readings, and writes them once there are enough. @throws DatabaseError where it stays away */
  add(items: readonly Sourced[], report: Report): Promise<void>;
  /** Writes what is left. */
  finish(report: Report): Promise<void>;
}

export interface WriterParts {
  /** Stores a batch whole or not at all. @returns those that were not there before; throws DatabaseError */
  readonly store: (readings: readonly Reading[]) => Promise<readonly Reading[]>;
  readonly signal: AbortSignal;
  /** Between two tries. */
  readonly wait?: (signal: AbortSignal) => Promise<void>;
}

const aSecond = (signal: AbortSignal): Promise<void> => sleep(PAUSE_MS, undefined, { signal });

/** Writes readings in batches; tries again while the database is away. */
export function createReadingWriter({ store, signal, wait = aSecond }: WriterParts): ReadingWriter {
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

  /** One reading that no database takes does not take its company down. */
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

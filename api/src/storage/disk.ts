import { statfs } from "node:fs/promises";
import type { DiskState } from "@mulkko/shared/rest/storage";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours of history for a forecast. */
const HOURS_KEPT = 48;
/** Shortest observation for a forecast, ms. */
const WATCHED_AT_LEAST_MS = 2 * HOUR_MS;
/** Beyond this the disk counts as not filling. */
const DAYS_AT_MOST = 3_650;

/** Free and total space of a file system. */
export type DiskSpace = Pick<DiskState, "freeBytes" | "totalBytes">;

/** Read the free space of a folder's file system; null where it is not available. */
export async function readDisk(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    // Without a value there is no forecast; a test write shows if rows can be stored.
    return null;
  }
}

/**
 * Forecast when a disk is full, from the least free space of each hour: fluctuation within an hour is not a
 * trend.
 */
export interface DiskForecast {
  /** @param at ms since 1970 UTC */
  note(at: number, freeBytes: number): void;
  /**
   * Days until the disk is full at the current rate; null where it does not fill, or was observed too
   * briefly.
   */
  daysLeft(): number | null;
}

export function createDiskForecast(): DiskForecast {
  /** Oldest first, one per hour. */
  let hours: { readonly hour: number; readonly at: number; readonly freeBytes: number }[] = [];
  return {
    note(at, freeBytes) {
      const hour = Math.floor(at / HOUR_MS);
      const last = hours.at(-1);
      if (last?.hour === hour) {
        if (freeBytes < last.freeBytes) hours = [...hours.slice(0, -1), { hour, at, freeBytes }];
      } else hours = [...hours, { hour, at, freeBytes }].slice(-HOURS_KEPT);
    },
    daysLeft() {
      const [first] = hours;
      const last = hours.at(-1);
      if (!first || !last || last.at - first.at < WATCHED_AT_LEAST_MS) return null;
      const perDay = ((first.freeBytes - last.freeBytes) / (last.at - first.at)) * DAY_MS;
      const days = last.freeBytes / perDay;
      return perDay > 0 && days <= DAYS_AT_MOST ? Math.round(days * 10) / 10 : null;
    },
  };
}

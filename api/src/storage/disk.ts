import { statfs } from "node:fs/promises";
import type { DiskState } from "@mulkko/shared/rest/storage";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours that a forecast looks back over. */
const HOURS_KEPT = 48;
/** A forecast needs to have watched for so long, ms. */
const WATCHED_AT_LEAST_MS = 2 * HOUR_MS;
/** A disk that is full later than this does not fill. */
const DAYS_AT_MOST = 3_650;

/** How much room a file system has. */
export type DiskSpace = Pick<DiskState, "freeBytes" | "totalBytes">;

/** Read the room of the file system that holds a folder; null where it does not say. */
export async function readDisk(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    // Without a figure there is no forecast; that rows are taken is tried by writing one.
    return null;
  }
}

/** Forecast when a disk is full, by the least room of each hour: what is written and cleared within one is no trend. */
export interface DiskForecast {
  /** @param at ms since 1970 UTC */
  note(at: number, freeBytes: number): void;
  /** Days until it is full at the present rate; null where it does not fill, or was not watched for long enough. */
  daysLeft(): number | null;
}

export function createDiskForecast(): DiskForecast {
  /** Oldest first, one an hour. */
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

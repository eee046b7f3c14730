import type { StorageState } from "@mulkko/shared/rest/storage";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { beforeEach, describe, expect, test } from "vitest";
import { type Database, DatabaseError } from "../database/database.ts";
import { createStorageWatch, type StorageWatch } from "./storage-watch.ts";

const FULL = new DatabaseError("could not extend file: No space left on device", "53100");
const AWAY = new DatabaseError("connection refused", "ECONNREFUSED");
const GB = 1e9;

describe("[storage] readings that are not stored", () => {
  const clock = createFakeClock();
  let failure: Error | null;
  let isBrokerUp: boolean;
  let freeBytes: number;
  let lines: string[];
  let probes: number;
  let watch: StorageWatch;
  const made = (kind: Database["kind"]): StorageWatch =>
    createStorageWatch({
      database: {
        kind,
        query: async () => {
          probes += 1;
          if (failure) throw failure;
          return [];
        },
      },
      broker: { isUp: () => isBrokerUp },
      readDisk: async () => ({ freeBytes, totalBytes: 10 * GB }),
      clock,
      logger: {
        error: (_fields: unknown, text?: string) => void lines.push(`error: ${text}`),
        info: (_fields: unknown, text?: string) => void lines.push(`info: ${text}`),
      },
    });
  const look = async (): Promise<StorageState["fault"]> => {
    clock.advance(5_000);
    await watch.look();
    return watch.state.fault;
  };
  beforeEach(() => {
    failure = null;
    isBrokerUp = true;
    freeBytes = 5 * GB;
    lines = [];
    probes = 0;
    watch = made("pglite");
  });

  test("[storage] a database that refuses rows is a fault, logged once at its start and once at its end", async () => {
    expect(await look()).toBeNull();
    failure = AWAY;
    expect(await look()).toBe("database");
    const { since } = watch.state;
    for (let time = 0; time < 10; time += 1) expect(await look()).toBe("database");
    expect(watch.state.since).toBe(since);
    failure = null;
    expect(await look()).toBeNull();
    expect(watch.state.since).toBeNull();
    expect(lines).toEqual(["error: readings are not being stored", "info: readings are stored again"]);
  });

  test("[storage] a batch without space is a fault at once, even where a small row still fits", async () => {
    await look();
    watch.refused(FULL);
    expect(watch.state.fault).toBe("disk-full");
    for (let time = 0; time < 5; time += 1) expect(await look()).toBe("disk-full");
    watch.refused(FULL);
    expect(await look()).toBe("disk-full");
    clock.advance(30_000);
    expect(await look()).toBeNull();
    expect(lines).toHaveLength(2);
  });

  test("[storage] too little space for the database's log is a full disk; an external database has its own", async () => {
    freeBytes = 1_000_000;
    expect(await look()).toBe("disk-full");
    watch = made("postgres");
    expect(await look()).toBeNull();
    expect(watch.state.disk).toEqual({ freeBytes, totalBytes: 10 * GB, daysLeft: null });
  });

  test("[storage] an unavailable broker is a fault as well", async () => {
    isBrokerUp = false;
    expect(await look()).toBe("broker");
    const { since } = watch.state;
    failure = AWAY;
    expect(await look()).toBe("database");
    expect(watch.state.since).toBe(since);
  });

  test("[storage] writes at most once in three seconds", async () => {
    clock.advance(5_000);
    for (let time = 0; time < 50; time += 1) {
      await watch.look();
      clock.advance(100);
    }
    expect(probes).toBe(2);
  });
});

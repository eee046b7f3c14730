import { afterAll, beforeAll, expect, test } from "vitest";
import { environmentOf, openPlace, openPlaces } from "../../testing/places.ts";
import { SOIL, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { readTables } from "../backup/catalogue.ts";
import { openSnapshot } from "../backup/snapshot.ts";
import { writeBackup } from "../backup/write.ts";
import { storeReadings } from "../ingest/reading-store.ts";
import { sweepHistory } from "./retention.ts";

const NOW = Date.UTC(2026, 10, 21, 3);
const RETENTION = { rawDays: 30, rollupDays: undefined };

const places = await openPlaces();
const place = await places.create("postgres");
let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm(environmentOf(place));
});
afterAll(async () => {
  await farm.close();
  await places.close();
});

const add = (at: number) =>
  storeReadings(farm.app.database, [
    { sensorId: SOIL.id, at, receivedAt: at, fwversion: null, rssi: null, fields: { moisture: 1 } },
  ]);
const sweep = async (): Promise<string[]> => (await sweepHistory(farm.app.database, RETENTION, NOW)).tables;

test("[history] on postgres a month in use stays until the next night, and blocks no reading", async () => {
  for (const month of [5, 6, 7]) await add(Date.UTC(2026, month, 10));
  const reader = await openPlace(place);
  await reader.transaction(async (tx) => {
    await tx.query("select * from reading_2026_07");
    const sweeping = sweep();
    // While the lock is requested, every writer waits behind it: the write must succeed by itself.
    expect(await add(NOW)).toHaveLength(1);
    expect(await sweeping).toEqual(["reading_2026_06"]);
    expect(await add(NOW + 1_000)).toHaveLength(1);
    const kept = "select count(*) as count from reading where at < '2026-10-01'";
    expect(await farm.app.database.query(kept)).toEqual([{ count: 2 }]);
  });
  await reader.close();
  expect(await sweep()).toEqual(["reading_2026_07", "reading_2026_08"]);
});

test("[backup] on postgres expired months wait for a backup that has not read them yet", async () => {
  await add(Date.UTC(2026, 6, 10));
  const snapshot = await openSnapshot(farm.app.database, { url: place.url, dataDir: farm.folder });
  let text = "";
  let swept: string[] | undefined;
  const sink = {
    async write(part: string) {
      // The first line is written, and no table is read yet.
      if (text === "") text = part;
      else swept ??= await sweep();
      text += part;
    },
  };
  await snapshot.read(async (tx) => {
    const own = await readTables(tx);
    await writeBackup(tx, sink, { dataDir: farm.folder, now: 0, engine: "postgres", relay: "none", own });
  });
  await snapshot.close();
  expect(swept).toEqual([]);
  expect(text).toContain('"2026-07-10 00:00:00+00"');
  expect(await sweep()).toEqual(["reading_2026_07"]);
});

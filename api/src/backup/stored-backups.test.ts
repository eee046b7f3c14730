import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BackupState } from "@mulkko/shared/rest/admin";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { environmentOf, openPlaces } from "../../testing/places.ts";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { checkBackup, restore } from "./restore.ts";
import { keepBackup } from "./stored-backups.ts";
import { createGzipSink } from "./write.ts";

// These tests open PGlite several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const HOUR_MS = 3_600_000;
const places = await openPlaces();
afterAll(() => places.close());

const stateOf = async (farm: TestFarm) => {
  const { authorization } = await farm.signIn("overseer");
  const answer = await farm.app.inject({ url: "/api/v1/admin/backups", headers: { authorization } });
  const state = parse(BackupState, answer.json());
  if (!state.ok) throw new Error(answer.body);
  return state.value;
};
const ready = async (farm: TestFarm) => (await farm.app.inject("/ready")).json();

describe("[backup] nightly backups", () => {
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await startTestFarm();
    await farm.app.database.query("update schema_migration set applied_at = $1", [
      new Date(farm.clock.now()),
    ]);
  });
  afterAll(() => farm.close());
  const folder = () => join(farm.folder, "backups");

  test("[backup] stores a verified backup readable by its owner only, and another only when due", async () => {
    await farm.app.jobs.backup("night");
    const [name = ""] = await readdir(folder());
    expect(name).toBe("mulkko-2026-11-21T0300Z.backup.gz");
    expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
    expect((await checkBackup(join(folder(), name))).engine).toBe("pglite");
    expect(await stateOf(farm)).toEqual({
      kept: "nightly",
      newestDate: "2026-11-21 12:00:00",
      count: 1,
      overdue: false,
    });
    farm.clock.advance(HOUR_MS);
    await farm.app.jobs.backup("night");
    expect(await readdir(folder())).toEqual([name]);
    const place = await places.create("postgres");
    const { end } = await restore(place, { file: join(folder(), name), replace: false });
    expect(end.rows.account).toBe(3);
  });

  test("[backup] reports the age of the newest in /ready, and 48 hours as overdue", async () => {
    expect((await ready(farm)).backup).toEqual({
      kept: "nightly",
      newest: "2026-11-21T03:00:00.000Z",
      count: 1,
      overdue: false,
    });
    farm.clock.advance(47 * HOUR_MS + 1);
    const late = await ready(farm);
    expect([late.ready, late.backup.overdue]).toEqual([true, true]);
    expect((await stateOf(farm)).overdue).toBe(true);
    // The hourly job makes up for a missed night.
    await farm.app.jobs.backup("hour");
    expect(await stateOf(farm)).toMatchObject({ count: 2, overdue: false });
  });

  test("[backup] keeps the last seven, and files of other programs", async () => {
    for (let day = 1; day <= 7; day += 1) {
      const old = join(folder(), `mulkko-2026-11-0${day}T0300Z.backup.gz`);
      await writeFile(old, "old");
      await utimes(old, new Date(`2026-11-0${day}T03:00:00Z`), new Date(`2026-11-0${day}T03:00:00Z`));
    }
    await writeFile(join(folder(), "notes.txt"), "mine");
    farm.clock.advance(24 * HOUR_MS);
    await farm.app.jobs.backup("night");
    const names = (await readdir(folder())).sort();
    expect(names).toHaveLength(8);
    expect(names.slice(0, 4)).toEqual(
      ["04", "05", "06", "07"].map((day) => `mulkko-2026-11-${day}T0300Z.backup.gz`),
    );
    expect(names.at(-1)).toBe("notes.txt");
  });

  test("[backup] deletes a backup that fails verification, and keeps the others", async () => {
    const before = (await readdir(folder())).sort();
    const { sink, stream } = createGzipSink();
    await sink.write("no backup\n");
    stream.end();
    const backups = {
      make: async () => ({ stream, name: "mulkko-2026-12-01T0300Z.backup.gz", own: [] }),
      stop: () => undefined,
      stopped: async () => undefined,
    };
    await expect(keepBackup(farm.folder, backups, farm.clock.now())).rejects.toThrow(
      "is not a backup of Mulkko",
    );
    expect((await readdir(folder())).sort()).toEqual(before);
  });
});

test("[backup] monitors the age of files that PostgreSQL's own tools wrote", async () => {
  const place = await places.create("postgres");
  const farm = await startTestFarm(environmentOf(place));
  await farm.app.database.query("update schema_migration set applied_at = $1", [
    new Date(farm.clock.now() - 49 * HOUR_MS),
  ]);
  await farm.app.jobs.backup("night");
  expect(await stateOf(farm)).toMatchObject({ kept: "own-tools", newestDate: null, count: 0 });
  const folder = join(farm.folder, "backups");
  await mkdir(folder);
  await writeFile(join(folder, "mulkko-monday.dump"), "");
  await utimes(join(folder, "mulkko-monday.dump"), new Date(0), new Date(farm.clock.now()));
  expect(await stateOf(farm)).toEqual({
    kept: "own-tools",
    newestDate: "2026-11-21 12:00:00",
    count: 1,
    overdue: false,
  });
  await farm.close();
});

test("[backup] makes none and reports none overdue when switched off", async () => {
  const farm = await startTestFarm({ BACKUPS: "off" });
  farm.clock.advance(100 * HOUR_MS);
  await farm.app.jobs.backup("night");
  expect(await stateOf(farm)).toEqual({ kept: "off", newestDate: null, count: 0, overdue: false });
  await farm.close();
});

import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BackupState } from "@mulkko/shared/rest/admin";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { environmentOf, openPlaces } from "../testing/places.ts";
import { startTestFarm, type TestFarm } from "../testing/test-farm.ts";
import { keepBackup } from "./kept.ts";
import { checkBackup, restore } from "./restore.ts";
import { createGzipSink } from "./sink.ts";

// PGlite is opened several times in a test: on a machine that does other things too that takes a while.
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

describe("[backup] every night", () => {
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await startTestFarm();
    await farm.app.database.query("update schema_migration set applied_at = $1", [
      new Date(farm.clock.now()),
    ]);
  });
  afterAll(() => farm.close());
  const folder = () => join(farm.folder, "backups");

  test("[backup] one is made, read back and kept, for its owner alone; another only when it is due", async () => {
    await farm.app.chores.backup("night");
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
    await farm.app.chores.backup("night");
    expect(await readdir(folder())).toEqual([name]);
    const place = await places.create("postgres");
    const { end } = await restore(place, { file: join(folder(), name), replace: false });
    expect(end.rows.account).toBe(3);
  });

  test("[backup] the age of the newest stands in /ready, and 48 hours are too old", async () => {
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
    // What the night missed is made up for within the hour.
    await farm.app.chores.backup("hour");
    expect(await stateOf(farm)).toMatchObject({ count: 2, overdue: false });
  });

  test("[backup] the last seven stay; a file of another's is left alone", async () => {
    for (let day = 1; day <= 7; day += 1) {
      const old = join(folder(), `mulkko-2026-11-0${day}T0300Z.backup.gz`);
      await writeFile(old, "old");
      await utimes(old, new Date(`2026-11-0${day}T03:00:00Z`), new Date(`2026-11-0${day}T03:00:00Z`));
    }
    await writeFile(join(folder(), "notes.txt"), "mine");
    farm.clock.advance(24 * HOUR_MS);
    await farm.app.chores.backup("night");
    const names = (await readdir(folder())).sort();
    expect(names).toHaveLength(8);
    expect(names.slice(0, 4)).toEqual(
      ["04", "05", "06", "07"].map((day) => `mulkko-2026-11-${day}T0300Z.backup.gz`),
    );
    expect(names.at(-1)).toBe("notes.txt");
  });

  test("[backup] what does not read back is not kept, and the others stay", async () => {
    const before = (await readdir(folder())).sort();
    const { sink, stream } = createGzipSink();
    await sink.write("no backup\n");
    stream.end();
    const taker = {
      take: async () => ({ stream, name: "mulkko-2026-12-01T0300Z.backup.gz" }),
      stop: () => undefined,
      stopped: async () => undefined,
    };
    await expect(keepBackup(farm.folder, taker, farm.clock.now())).rejects.toThrow("is no backup of Mulkko");
    expect((await readdir(folder())).sort()).toEqual(before);
  });
});

test("[backup] of PostgreSQL the age of what its own tools have put there is watched", async () => {
  const place = await places.create("postgres");
  const farm = await startTestFarm(environmentOf(place));
  await farm.app.database.query("update schema_migration set applied_at = $1", [
    new Date(farm.clock.now() - 49 * HOUR_MS),
  ]);
  await farm.app.chores.backup("night");
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

test("[backup] switched off, nothing is made and nothing is overdue", async () => {
  const farm = await startTestFarm({ BACKUPS: "off" });
  farm.clock.advance(100 * HOUR_MS);
  await farm.app.chores.backup("night");
  expect(await stateOf(farm)).toEqual({ kept: "off", newestDate: null, count: 0, overdue: false });
  await farm.close();
});

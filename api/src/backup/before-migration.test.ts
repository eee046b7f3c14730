import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterAll, expect, test, vi } from "vitest";
import { contentsAt, environmentOf, openPlace, openPlaces } from "../../testing/places.ts";
import { loadFarmCopy } from "../../testing/takeover/farm-copy.ts";
import { startTestFarm } from "../../testing/test-farm.ts";
import type { Database } from "../database/database.ts";
import { knownMigrations, SchemaError } from "../database/migrate.ts";
import { checkBackup, restore } from "./restore.ts";

// These tests open PGlite several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const places = await openPlaces();
afterAll(() => places.close());

/** A database of an earlier version, at its schema. */
async function placeOfEarlier(kind: Database["kind"]) {
  const place = await places.create(kind);
  const database = await openPlace(place);
  await loadFarmCopy(database);
  const schema = await schemaOf(database);
  await database.close();
  return { place, schema };
}
const schemaOf = async (database: Database): Promise<number> => {
  const [row] = await database.query<{ schema: number }>(
    "select max(number) as schema from schema_migration",
  );
  return row?.schema ?? 0;
};

const Line = Type.Object({
  event: Type.String(),
  from: Type.Optional(Type.Integer()),
  to: Type.Optional(Type.Integer()),
});
const eventsOf = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const parsed = parseJson(Line, line);
    return parsed.ok && /migrat/.test(parsed.value.event) ? [parsed.value] : [];
  });

test("[KEEP-4] a migration of the embedded database leaves two lines, and a backup of before that can be restored", async () => {
  const { place, schema } = await placeOfEarlier("pglite");
  const newest = (await knownMigrations()).at(-1)?.number ?? 0;
  const farm = await startTestFarm({ DATA_DIR: place.dataDir }, { empty: true });
  const { lines } = farm;
  expect(eventsOf(lines)).toMatchObject([
    { event: "database-migrating", from: schema, to: newest },
    { event: "backup-before-migration" },
    { event: "database-migrated", from: schema, to: newest },
  ]);
  await farm.close();
  const [name = ""] = await readdir(join(place.dataDir, "backups"));
  const file = join(place.dataDir, "backups", name);
  expect((await checkBackup(file)).schema).toBe(schema);

  const other = await places.create("pglite");
  await restore(other, { file, replace: false });
  const [restored, migrated] = [await contentsAt(other), await contentsAt(place)];
  for (const table of ["account", "device", "sensor", "controller", "channel", "reading"])
    expect(restored[table]?.length, table).toBe(migrated[table]?.length);

  // The next start has nothing to migrate.
  const again = await startTestFarm({ DATA_DIR: place.dataDir }, { empty: true });
  expect(eventsOf(again.lines)).toEqual([]);
  expect(await readdir(join(place.dataDir, "backups"))).toEqual([name]);
  await again.close();
});

test("[KEEP-4] where no backup can be made, nothing is migrated, and the sentence names the reason and the way", async () => {
  const { place, schema } = await placeOfEarlier("pglite");
  await writeFile(join(place.dataDir, "backups"), "a file in the place of the folder");
  const failed = startTestFarm({ DATA_DIR: place.dataDir }, { empty: true });
  await expect(failed).rejects.toThrow(SchemaError);
  await expect(failed).rejects.toThrow(/no backup of it could be made \((EEXIST|ENOTDIR).*BACKUPS=off/);
  const database = await openPlace(place);
  expect(await schemaOf(database)).toBe(schema);
  await database.close();
  await rm(join(place.dataDir, "backups"));
  const without = await startTestFarm({ DATA_DIR: place.dataDir, BACKUPS: "off" }, { empty: true });
  expect(eventsOf(without.lines).map(({ event }) => event)).toEqual([
    "database-migrating",
    "database-migrated",
  ]);
  await without.close();
});

test("[KEEP-4] PostgreSQL is migrated with a line that names a missing backup", async () => {
  const { place } = await placeOfEarlier("postgres");
  const farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir }, { empty: true });
  expect(eventsOf(farm.lines).map(({ event }) => event)).toEqual([
    ...["database-migrating", "migration-without-backup", "database-migrated"],
  ]);
  await farm.close();
});

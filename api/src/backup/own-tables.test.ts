import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { contentsAt, download, environmentOf, openPlace, openPlaces } from "../../testing/places.ts";
import { startTestFarm } from "../../testing/test-farm.ts";
import { checkBackup, restore } from "./restore.ts";

// These tests open PGlite several times, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

/** An operator's own additions: tables that refer to each other and to Mulkko's, a column, a view. */
const FOREIGN = `
  create table dba_notes (id int primary key, note text, account_id uuid references account (id));
  create table "dba More" (id int primary key, note_id int references dba_notes (id));
  alter table dba_notes add column more_id int references "dba More" (id);
  insert into dba_notes (id, note) values (1, 'mine');
  alter table sensor add column dba_tag text;
  create view dba_view as select id from sensor;`;
const LEFT_OUT = ["dba More", "dba_notes", "sensor.dba_tag"];

const places = await openPlaces();
afterAll(() => places.close());

describe.each(["pglite", "postgres"] as const)("[KEEP-4] on %s", (kind) => {
  test("[KEEP-4] leaves out and names what is not Mulkko's; both databases restore the rest", async () => {
    const place = await places.create(kind);
    const farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir });
    await farm.app.database.exec(FOREIGN);
    const file = await download(farm, join(places.root, `${kind}.backup.gz`));
    expect((await checkBackup(file)).leftOut).toEqual(LEFT_OUT);
    expect(farm.lines.some((line) => line.includes('"backup-left-out"') && line.includes("dba_notes"))).toBe(
      true,
    );
    // What is read by Mulkko's own columns, without the operator's.
    await farm.app.database.exec("drop view dba_view; alter table sensor drop column dba_tag");
    await farm.app.database.exec(`drop table dba_notes, "dba More" cascade`);
    await farm.close();
    const whole = await contentsAt(place);
    for (const into of ["pglite", "postgres"] as const) {
      const other = await places.create(into);
      expect((await restore(other, { file, replace: false })).head.leftOut).toEqual(LEFT_OUT);
      expect({ into, ...(await contentsAt(other)) }).toEqual({ into, ...whole });
    }
  });

  test("[KEEP-4] a restore removes no table of an operator", async () => {
    const place = await places.create(kind);
    const farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir });
    const file = await download(farm, join(places.root, `${kind}-again.backup.gz`));
    await farm.app.database.exec(FOREIGN);
    await farm.close();
    await restore(place, { file, replace: true });
    const database = await openPlace(place);
    expect(await database.query("select note from dba_notes")).toEqual([{ note: "mine" }]);
    expect(await database.query("select count(*) as count from account")).toEqual([{ count: 3 }]);
    await database.close();
  });

  test.each([
    [
      "alter table contact alter column title type varchar(99)",
      "column contact.title is character varying(99)",
    ],
    ["alter table contact drop column title", "column contact.title is missing"],
    ["drop table contact", "lacks Mulkko's table contact"],
  ])("[KEEP-4] stores no backup that a restore would refuse: %s", async (change, reason) => {
    const place = await places.create(kind);
    const farm = await startTestFarm({ ...environmentOf(place), DATA_DIR: place.dataDir });
    await farm.app.database.exec(change);
    const { authorization } = await farm.signIn("overseer");
    const answer = await farm.app.inject({ url: "/api/v1/admin/backup", headers: { authorization } });
    expect(answer.json()).toMatchObject({ status: 409, message: expect.stringContaining(reason) });
    await farm.app.jobs.backup("night");
    expect(await readdir(join(place.dataDir, "backups")).catch(() => [])).toEqual([]);
    await farm.close();
  });
});

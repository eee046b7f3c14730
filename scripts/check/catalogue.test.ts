import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../root.ts";
import { catalogue, quotedColumns } from "./catalogue.ts";
import { describeFinding } from "./finding.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "mulkko-catalogue-"));
  for (const folder of [
    "shared/src/catalogue",
    "api/migrations",
    "web/src/i18n/locales",
    "web/src/domain/log/card",
    "web/src/domain/device",
  ]) {
    await mkdir(join(root, folder), { recursive: true });
    await cp(join(ROOT, folder), join(root, folder), { recursive: true });
  }
});
afterAll(() => rm(root, { recursive: true }));

const found = async (): Promise<string[]> => (await catalogue.run(root)).map(describeFinding);

/** Change a file for one test. */
async function changed(
  file: string,
  change: (text: string) => string,
  run: () => Promise<void>,
): Promise<void> {
  const path = join(root, file);
  const text = await readFile(path, "utf8");
  expect(change(text)).not.toBe(text);
  await writeFile(path, change(text));
  try {
    await run();
  } finally {
    await writeFile(path, text);
  }
}

it("[check] accepts the catalogue of this workspace", async () => {
  expect(await found()).toEqual([]);
});

it("[check] says which label of a type or field a language lacks", async () => {
  await changed(
    "web/src/i18n/locales/zh/app.json",
    (text) => text.replace(/^ +"gdo":.*\n/m, "").replace(/^ +"SSH":.*\n/m, ""),
    async () => {
      expect(await found()).toEqual([
        'web/src/i18n/locales/zh/app.json add "SSH" to "common.deviceType": its label in this language',
        'web/src/i18n/locales/zh/app.json add "gdo" to "common.field": its label in this language',
      ]);
    },
  );
});

it("[check] says which columns a migration has to add, for each of the four tables", async () => {
  await changed(
    "api/migrations/0001-first-light.sql",
    (text) => text.replaceAll('  "gdo" double precision,\n', ""),
    async () => {
      expect(await found()).toEqual([
        'api/migrations the field gdo has no column; add a migration: alter table reading add column "gdo" double precision;',
        'api/migrations the field gdo has no column; add a migration: alter table latest add column "gdo" double precision;',
      ]);
    },
  );
  await changed(
    "api/migrations/0004-history.sql",
    (text) => text.replace('"gdo_count" int, ', "").replace('"gdo_last_at" timestamptz,', ""),
    async () => {
      const columns = 'add column "gdo_count" int, add column "gdo_last_at" timestamptz;';
      expect(await found()).toEqual([
        `api/migrations the field gdo has no column; add a migration: alter table reading_hour ${columns}`,
        `api/migrations the field gdo has no column; add a migration: alter table reading_day ${columns}`,
      ]);
    },
  );
});

it("[check] says which glyph and which unit to add, and where", async () => {
  await changed(
    "web/src/domain/log/card/field-glyphs.ts",
    (text) => text.replace(/^ +gdo:.*\n/m, ""),
    async () => {
      expect(await found()).toEqual([
        expect.stringMatching(
          /^web\/src\/domain\/log\/card\/field-glyphs\.ts:\d+ add to GLYPHS: gdo: "…", the/,
        ),
      ]);
    },
  );
  await changed(
    "shared/src/catalogue/device-type.ts",
    (text) => text.replace(/^ +\| "W\/m²"\n/m, ""),
    async () => {
      expect(await found()).toEqual([
        expect.stringMatching(/^shared\/src\/catalogue\/device-type\.ts:\d+ add to Unit: \| "W\/m²"$/),
      ]);
    },
  );
  await changed(
    "web/src/domain/device/device-key-text.ts",
    (text) => text.replace(/^ +mm: .*\n/m, ""),
    async () => {
      expect(await found()).toEqual([
        expect.stringMatching(/device-key-text\.ts:\d+ add to PLAUSIBLE: "mm": …, a plausible value/),
      ]);
    },
  );
});

it("[check] follows columns through copies, new names and later migrations", () => {
  const tables = quotedColumns([
    'create table a (\n  id int,\n  "x" int\n);',
    "alter table a rename to b;\ncreate table a (\n  like b,\n  primary key (id)\n) partition by range (id);",
    'alter table a add column "y" int, add column "z" int;',
  ]);
  expect([...(tables.get("a") ?? [])]).toEqual(["x", "y", "z"]);
  expect([...(tables.get("b") ?? [])]).toEqual(["x"]);
});

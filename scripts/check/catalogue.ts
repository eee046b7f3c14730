import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import Value from "typebox/value";
import { FIELDS } from "../../shared/src/catalogue/fields.ts";
import { DEVICE_TYPES } from "../../shared/src/catalogue/registry.ts";
import type { Check, Finding } from "./finding.ts";

const LANGUAGES = ["ko", "en", "zh"];
const MIGRATIONS = "api/migrations";
const labelsFile = (language: string): string => `web/src/i18n/locales/${language}/app.json`;

const Labels = Type.Object({
  common: Type.Object({
    deviceType: Type.Record(Type.String(), Type.String()),
    field: Type.Record(Type.String(), Type.String()),
  }),
});

/** Parts of a field in the rollups; a direction has the two sums too. */
const PARTS = ["count", "sum", "spread", "min", "max", "last", "last_at"];
const CIRCULAR_PARTS = [...PARTS, "cos", "sin"];

const STATEMENT =
  /create table (?<created>\w+) \((?<body>[\s\S]*?)\n\)|alter table (?<renamed>\w+) rename to (?<name>\w+)|alter table (?<altered>\w+)(?<added>(?:\s+add column "[^;]*))/g;
const COLUMN = /"(\w+)"/g;
const LIKE = /^\s*like (\w+)/m;

/**
 * Return the quoted columns of each table after all migrations: the columns of fields are quoted.
 *
 * @param migrations SQL, in order
 */
export function quotedColumns(migrations: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  const columnsIn = (text: string): string[] => [...text.matchAll(COLUMN)].map(([, name = ""]) => name);
  for (const sql of migrations) {
    for (const { groups = {} } of sql.matchAll(STATEMENT)) {
      const { created, body = "", renamed, name = "", altered, added = "" } = groups;
      if (created !== undefined) {
        const copied = tables.get(LIKE.exec(body)?.[1] ?? "") ?? [];
        tables.set(created, new Set([...copied, ...columnsIn(body)]));
      } else if (renamed !== undefined) {
        tables.set(name, tables.get(renamed) ?? new Set());
        tables.delete(renamed);
      } else if (altered !== undefined) {
        tables.set(altered, new Set([...(tables.get(altered) ?? []), ...columnsIn(added)]));
      }
    }
  }
  return tables;
}

function missingColumns(tables: ReadonlyMap<string, ReadonlySet<string>>): Finding[] {
  return Object.values(FIELDS).flatMap(({ name, ...spec }) => {
    const parts = "circular" in spec ? CIRCULAR_PARTS : PARTS;
    const rollup = parts.map((part) => `${name}_${part}`);
    const wanted = { reading: [name], latest: [name], reading_hour: rollup, reading_day: rollup };
    return Object.entries(wanted).flatMap(([table, columns]): Finding[] => {
      const missing = columns.filter((column) => !tables.get(table)?.has(column));
      if (missing.length === 0) return [];
      const types = missing.map((column) => {
        if (column.endsWith("_count")) return `add column "${column}" int`;
        return `add column "${column}" ${column.endsWith("_last_at") ? "timestamptz" : "double precision"}`;
      });
      return [
        {
          file: MIGRATIONS,
          message: `the field ${name} has no column; add a migration: alter table ${table} ${types.join(", ")};`,
        },
      ];
    });
  });
}

async function missingLabels(root: string): Promise<Finding[]> {
  const found = await Promise.all(
    LANGUAGES.map(async (language) => {
      const file = labelsFile(language);
      const { common: labels } = Value.Parse(Labels, JSON.parse(await readFile(join(root, file), "utf8")));
      const lacks = (group: "deviceType" | "field", names: readonly string[]): Finding[] =>
        names
          .filter((name) => !labels[group][name])
          .map((name) => ({
            file,
            message: `add "${name}" to "common.${group}": its label in this language`,
          }));
      return [
        ...lacks(
          "deviceType",
          DEVICE_TYPES.map(({ type }) => type),
        ),
        ...lacks("field", Object.keys(FIELDS)),
      ];
    }),
  );
  return found.flat();
}

const GLYPHS = { file: "web/src/domain/log/card/field-glyphs.ts", table: "GLYPHS" };
const UNITS = { file: "shared/src/catalogue/device-type.ts", table: "Unit" };
const VALUES = { file: "web/src/domain/device/device-key-text.ts", table: "PLAUSIBLE" };
/** A member of a table (`"m/s": 2,`), or of a union (`| "m/s"`). */
const MEMBER = /^\s+(?:\| )?(?:"([^"]*)"|(\w+))/gm;

/** Find names that a table of the source code lacks; the finding is at its end. `line` is the text to add. */
async function missingMembers(
  root: string,
  { file, table }: { readonly file: string; readonly table: string },
  names: Iterable<string>,
  line: (name: string) => string,
): Promise<Finding[]> {
  const text = await readFile(join(root, file), "utf8");
  const start = text.search(new RegExp(`^(?:export )?(?:const|type) ${table}\\b`, "m"));
  const end = text.indexOf(";\n", start);
  if (start < 0 || end < 0)
    return [{ file, message: `has no ${table} any more; change scripts/check/catalogue.ts` }];
  const members = new Set(
    [...text.slice(start, end).matchAll(MEMBER)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
  );
  const at = text.slice(0, end).split("\n").length;
  return [...new Set(names)]
    .filter((name) => !members.has(name))
    .map((name) => ({ file, line: at, message: `add to ${table}: ${line(name)}` }));
}

async function missingGlyphsAndUnits(root: string): Promise<Finding[]> {
  const units = Object.values(FIELDS).map(({ unit }) => unit);
  const found = await Promise.all([
    missingMembers(root, GLYPHS, Object.keys(FIELDS), (name) => `${name}: "…", the symbol of its lines`),
    missingMembers(root, UNITS, units, (unit) => `| "${unit}"`),
    missingMembers(root, VALUES, units, (unit) => `"${unit}": …, a plausible value as a device sends it`),
  ]);
  return found.flat();
}

/**
 * Find device types and fields of the catalogue without a label in one of the languages, and fields without
 * their columns, their glyph or a known unit. The compiler refuses a missing glyph or unit too; this check says
 * what to add where.
 */
export const catalogue: Check = {
  name: "catalogue: labels, columns, glyph and unit of every field",
  async run(root) {
    if (!existsSync(join(root, "shared/src/catalogue"))) return [];
    const files = (await readdir(join(root, MIGRATIONS))).toSorted();
    const migrations = await Promise.all(files.map((file) => readFile(join(root, MIGRATIONS, file), "utf8")));
    return [
      ...missingColumns(quotedColumns(migrations)),
      ...(await missingLabels(root)),
      ...(await missingGlyphsAndUnits(root)),
    ];
  },
};

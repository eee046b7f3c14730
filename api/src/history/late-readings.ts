import type { FieldName } from "@mulkko/shared/catalogue/fields";
import type { Queryable } from "../database/database.ts";
import { arrayLiteral } from "../database/packed-rows.ts";
import { aggregate, columnOf, type FieldRollup, type Part, partsOf, type Rollup } from "./aggregate.ts";
import { LENGTH, type Level, ROLLUP_TABLE } from "./levels.ts";
import type { Reading } from "./reading.ts";

/** Return the SQL that merges a column: either side may lack the field. */
function mergedOf(name: FieldName, part: Part): string {
  const of = (side: "kept" | "excluded", one: Part): string => `${side}.${columnOf(name, one)}`;
  const [kept, more] = [of("kept", part), of("excluded", part)];
  const [n, m] = [of("kept", "count"), of("excluded", "count")];
  const distance = `(${of("excluded", "sum")} / ${m} - ${of("kept", "sum")} / ${n})`;
  switch (part) {
    case "min":
      return `least(${kept}, ${more})`;
    case "max":
    case "lastAt":
      return `greatest(${kept}, ${more})`;
    case "last": {
      const [keptAt, moreAt] = [of("kept", "lastAt"), of("excluded", "lastAt")];
      return `case when ${moreAt} is null or ${keptAt} > ${moreAt} then ${kept} else ${more} end`;
    }
    case "spread":
      return `coalesce(${kept} + ${more} + ${distance} * ${distance} * ${n} * ${m} / (${n} + ${m}), ${kept}, ${more})`;
    case "count":
    case "sum":
    case "cos":
    case "sin":
      return `coalesce(${kept} + ${more}, ${kept}, ${more})`;
  }
}

/** Merge into an existing hour or day, whatever the order of its readings. */
function addSql(level: Exclude<Level, "raw">, names: readonly FieldName[]): string {
  const columns = names.flatMap((name) => partsOf(name).map(({ part, type }) => ({ name, part, type })));
  const types = ["uuid", "timestamptz", "int", ...columns.map(({ type }) => type)];
  return `insert into ${ROLLUP_TABLE[level]} as kept
      (sensor_id, start, rows${columns.map(({ name, part }) => `, ${columnOf(name, part)}`).join("")})
    select * from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")})
    on conflict (sensor_id, start) do update set rows = kept.rows + excluded.rows
      ${columns.map(({ name, part }) => `, ${columnOf(name, part)} = ${mergedOf(name, part)}`).join("")}`;
}

function partOf(field: FieldRollup | undefined, part: Part): string | number | null {
  if (!field) return null;
  return part === "lastAt" ? new Date(field.lastAt).toISOString() : field[part];
}

async function addTo(
  tx: Queryable,
  level: Exclude<Level, "raw">,
  names: readonly FieldName[],
  rollups: readonly Rollup[],
): Promise<void> {
  const column = (pick: (rollup: Rollup) => string | number | null): string =>
    arrayLiteral(rollups.map(pick));
  await tx.query(addSql(level, names), [
    column(({ sensorId }) => sensorId),
    column(({ start }) => new Date(start).toISOString()),
    column(({ rows }) => rows),
    ...names.flatMap((name) =>
      partsOf(name).map(({ part }) => column(({ fields }) => partOf(fields.get(name), part))),
    ),
  ]);
}

/**
 * Count readings in closed hours and days, once each, in the transaction that stores them.
 *
 * @param ofDays those of the readings whose day is closed too
 */
export async function addToRollups(
  tx: Queryable,
  ofHours: readonly Reading[],
  ofDays: readonly Reading[],
): Promise<void> {
  for (const [level, readings] of [
    ["hour", ofHours],
    ["day", ofDays],
  ] as const) {
    if (readings.length === 0) continue;
    const rollups = aggregate(readings, LENGTH[level]);
    await addTo(tx, level, [...new Set(rollups.flatMap(({ fields }) => [...fields.keys()]))].sort(), rollups);
  }
}

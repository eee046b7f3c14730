/** A row of the category list: its name and the device types that it selects. */
export interface Category {
  /** Device type that gives the category its name. */
  readonly name: string;
  readonly types: readonly string[];
}

const SENSOR_MERGES: readonly Category[] = [
  { name: "SOIL", types: ["SOIL", "SMS", "SSH"] },
  { name: "FMS", types: ["FMS", "FMS02"] },
];

/** Types with the same columns, shown in one table. */
const TABLE_MERGES: readonly Category[] = [{ name: "SMS", types: ["SMS", "SOIL"] }];

const MAP_MERGES: readonly Category[] = [{ name: "SOIL", types: ["SOIL", "SMS", "SSH"] }];

function merge(present: readonly string[], merges: readonly Category[]): Category[] {
  const rows: Category[] = [];
  for (const type of present) {
    const merged = merges.find((category) => category.types.includes(type));
    const name = merged?.name ?? type;
    if (!rows.some((row) => row.name === name)) rows.push(merged ?? { name, types: [type] });
  }
  return rows;
}

/**
 * Return the categories of the sensors screen: soil types as one, FMS types as one, COT only where
 * controllers exist.
 */
export function sensorCategories(present: readonly string[], hasControllers: boolean): Category[] {
  const rows = merge(
    present.filter((type) => type !== "COT"),
    SENSOR_MERGES,
  );
  return hasControllers ? [...rows, { name: "COT", types: ["COT"] }] : rows;
}

/** Return the tables for types of one category: types with the same columns share one. */
export function sensorTables(types: readonly string[]): Category[] {
  return merge(types, TABLE_MERGES);
}

/** Return the categories of the map screen: soil types together, FMS and FMS02 apart. */
export function mapCategories(present: readonly string[]): Category[] {
  return merge(present, MAP_MERGES);
}

type Element = string | number | null;

const elementOf = (value: Element): string => {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `"${value.replace(/["\\]/g, "\\$&")}"`;
};

/**
 * Format a column of values as a PostgreSQL array: one parameter for any number of values, on both databases.
 */
export const arrayLiteral = (values: readonly Element[]): string => `{${values.map(elementOf).join(",")}}`;

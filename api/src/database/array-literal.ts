type Element = string | number | null;

const elementOf = (value: Element): string => {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `"${value.replace(/["\\]/g, "\\$&")}"`;
};

/** A column of values as the text of a PostgreSQL array: one parameter whatever their number, on both databases. */
export const arrayLiteral = (values: readonly Element[]): string => `{${values.map(elementOf).join(",")}}`;

/** Selected rows by id; rows of other pages stay selected. */
export type ChosenRows<Row> = ReadonlyMap<string, Row>;

/** Row of an administrator's list: an account or a sensor. */
export interface Identified {
  readonly id: string | number;
}

/** Return the selection after a click. @param shown the rows that could have been clicked */
export type AfterPress<Row> = (
  before: ChosenRows<Row>,
  keys: ReadonlySet<string>,
  shown: readonly Row[],
) => ChosenRows<Row>;

/** Select all of these rows. */
export function everyOf<Row extends Identified>(rows: readonly Row[]): ChosenRows<Row> {
  return new Map(rows.map((row) => [`${row.id}`, row]));
}

/** Select each row on its own. */
export function eachByItself<Row extends Identified>(
  before: ChosenRows<Row>,
  keys: ReadonlySet<string>,
  shown: readonly Row[],
): ChosenRows<Row> {
  const known = new Map([...before, ...everyOf(shown)]);
  return new Map([...known].filter(([id]) => keys.has(id)));
}

/** Return the selection without the removed rows. */
export function without<Row>(chosen: ChosenRows<Row>, gone: ReadonlySet<string>): ChosenRows<Row> {
  return new Map([...chosen].filter(([id]) => !gone.has(id)));
}

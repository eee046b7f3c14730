/** The rows that are chosen, by id; they stay chosen on pages that are not open. */
export type ChosenRows<Row> = ReadonlyMap<string, Row>;

/** What a list of the desk holds: accounts, sensors. */
export interface Identified {
  readonly id: string | number;
}

/** What is chosen now that these keys are. @param shown the rows that can have been pressed */
export type AfterPress<Row> = (
  before: ChosenRows<Row>,
  keys: ReadonlySet<string>,
  shown: readonly Row[],
) => ChosenRows<Row>;

/** All of these: who takes every row means every row. */
export function everyOf<Row extends Identified>(rows: readonly Row[]): ChosenRows<Row> {
  return new Map(rows.map((row) => [`${row.id}`, row]));
}

/** Each row is chosen by itself. */
export function eachByItself<Row extends Identified>(
  before: ChosenRows<Row>,
  keys: ReadonlySet<string>,
  shown: readonly Row[],
): ChosenRows<Row> {
  const known = new Map([...before, ...everyOf(shown)]);
  return new Map([...known].filter(([id]) => keys.has(id)));
}

/** What is left of the choice when some of it is gone. */
export function without<Row>(chosen: ChosenRows<Row>, gone: ReadonlySet<string>): ChosenRows<Row> {
  return new Map([...chosen].filter(([id]) => !gone.has(id)));
}

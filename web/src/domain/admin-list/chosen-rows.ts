import { useMemo, useState } from "react";
import { useErrorTexts } from "../../api/error-texts.ts";
import { toaster } from "../../components/toaster.tsx";
import type { FoundRows } from "./use-found-rows.ts";

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

/** Keep the rows of a list that the user selects. @param afterPress derives the selection after a click */
export function useChosenRows<Row extends Identified>(
  { rows, every }: Pick<FoundRows<Row>, "rows" | "every">,
  afterPress: AfterPress<Row>,
) {
  const errorTexts = useErrorTexts();
  const [chosen, setChosen] = useState<ChosenRows<Row>>(() => new Map());
  const keys = useMemo(() => new Set(chosen.keys()), [chosen]);
  const chooseNone = () => setChosen(new Map());
  const chooseEvery = async () => {
    try {
      setChosen(everyOf(await every()));
    } catch (error) {
      toaster.create({ type: "error", title: errorTexts(error) });
    }
  };
  return {
    chosen,
    keys,
    /** Handle clicks on checkboxes of the open page. */
    press: (pressed: ReadonlySet<string>) => setChosen(afterPress(chosen, pressed, rows ?? [])),
    /** Select every row that matches, on all pages, or none. */
    pressEvery(all: boolean) {
      if (all) void chooseEvery();
      else chooseNone();
    },
    chooseNone,
    drop: (gone: ReadonlySet<string>) => setChosen((now) => without(now, gone)),
  };
}

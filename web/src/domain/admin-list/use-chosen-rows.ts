import { useMemo, useState } from "react";
import { toaster } from "../../components/toaster.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";
import { type AfterPress, type ChosenRows, everyOf, type Identified, without } from "./chosen-rows.ts";
import type { FoundRows } from "./use-found-rows.ts";

export interface ChosenRowsControl<Row> {
  readonly chosen: ChosenRows<Row>;
  readonly keys: ReadonlySet<string>;
  /** Handle clicks on checkboxes of the open page. */
  press(keys: ReadonlySet<string>): void;
  /** Select every row that matches, on all pages, or none. */
  pressEvery(all: boolean): void;
  chooseNone(): void;
  drop(gone: ReadonlySet<string>): void;
}

/** Keep the rows of a list that the user selects. @param afterPress derives the selection after a click */
export function useChosenRows<Row extends Identified>(
  { rows, every }: Pick<FoundRows<Row>, "rows" | "every">,
  afterPress: AfterPress<Row>,
): ChosenRowsControl<Row> {
  const errorWords = useErrorWords();
  const [chosen, setChosen] = useState<ChosenRows<Row>>(() => new Map());
  const keys = useMemo(() => new Set(chosen.keys()), [chosen]);
  const chooseNone = () => setChosen(new Map());
  const chooseEvery = async () => {
    try {
      setChosen(everyOf(await every()));
    } catch (error) {
      toaster.create({ type: "error", title: errorWords(error) });
    }
  };
  return {
    chosen,
    keys,
    press: (pressed) => setChosen(afterPress(chosen, pressed, rows ?? [])),
    pressEvery(all) {
      if (all) void chooseEvery();
      else chooseNone();
    },
    chooseNone,
    drop: (gone) => setChosen((now) => without(now, gone)),
  };
}

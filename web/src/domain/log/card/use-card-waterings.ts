import type { Watering } from "@mulkko/shared/live/watering";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChartMarks } from "../../chart/chart-model.ts";
import type { LogSource } from "../sources/source.ts";
import { waterMarks } from "../waterings/shown-waterings.ts";
import { useWaterings } from "../waterings/use-waterings.ts";
import type { BoardLine } from "./board-cards.ts";

const MOISTURE = "moisture";
const NOWHERE: readonly LogSource[] = [];

/** Waterings and bounds on a moisture card, with switches to show them. */
export interface CardWaterings {
  /** By line. */
  readonly marks: Readonly<Record<string, ChartMarks>>;
  readonly waterings: readonly Watering[];
  readonly bounds: ChartMarks["bounds"];
  readonly now: number;
  readonly showsBars: boolean;
  readonly showsBounds: boolean;
  toggleBars(): void;
  toggleBounds(): void;
}

/**
 * Return bars and bounds for moisture lines; none without a channel. `from` is the start of the range, ms.
 *
 * @param lines a list that stays the same object while its members do
 */
export function useCardWaterings(lines: readonly BoardLine[], from: number): CardWaterings {
  const { t } = useTranslation("common");
  const [showsBars, setBars] = useState(true);
  const [showsBounds, setBounds] = useState(true);
  const moist = useMemo(() => lines.filter(({ field }) => field.name === MOISTURE), [lines]);
  const sources = useMemo(() => (moist.length === 0 ? NOWHERE : moist.map(({ source }) => source)), [moist]);
  const { waterings, bounds, now } = useWaterings(sources, from);
  // Only the bar of a running watering grows with time.
  const until = waterings.some(({ end }) => end === null) ? now : 0;
  const marks = useMemo(() => {
    const behind: ChartMarks = {
      waterings: showsBars
        ? waterMarks(waterings, until, (cause) =>
            cause === "external" || cause === "person" ? t("mode.letter.none") : t(`mode.letter.${cause}`),
          )
        : [],
      bounds: showsBounds ? bounds : null,
    };
    // Attach them to one line: several lines of a card would draw them over each other.
    return Object.fromEntries(moist.slice(0, 1).map(({ id }) => [id, behind]));
  }, [moist, waterings, until, bounds, showsBars, showsBounds, t]);
  return {
    marks,
    waterings,
    bounds,
    now,
    showsBars,
    showsBounds,
    toggleBars: () => setBars(!showsBars),
    toggleBounds: () => setBounds(!showsBounds),
  };
}

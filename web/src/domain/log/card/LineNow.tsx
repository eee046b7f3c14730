import { useTranslation } from "react-i18next";
import { readingNumber, shownReading } from "../../reading/reading.ts";
import { useLiveReading } from "../sources/use-live-reading.ts";
import { VALVE, valveWord } from "../valve-word.ts";
import type { BoardLine } from "./board-cards.ts";

export interface LineNowProps {
  line: BoardLine;
  /** Value under the crosshair in display units; undefined without a crosshair. */
  under: number | undefined;
  /** True if the range ends now; a past range does not show the newest value. */
  follows: boolean;
}

/**
 * Show a line's value under the crosshair, or its newest one, with its unit. Empty in a past range without a
 * crosshair.
 */
export function LineNow({ line: { source, field }, under, follows }: LineNowProps) {
  const { t } = useTranslation("common");
  const { reading } = useLiveReading(source);
  if (under === undefined && !follows) return null;
  const newest = readingNumber(reading, field.name);
  // A bar's height is the share of time for which the valve was open.
  if (field.name === VALVE) return valveWord(under === undefined ? newest : 2 - under, t);
  // Under the crosshair the number is scaled already.
  const { scale = 1 } = field;
  const { text, unit } = shownReading(field, under === undefined ? newest : under / scale, "log", t);
  return unit === "" ? text : `${text} ${unit}`;
}

import { formatReading } from "@mulkko/shared/rules/format";
import { fieldFormat, readingNumber } from "../../farm/reading.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLiveReading } from "../sources/use-live-reading.ts";
import { VALVE, valveWord } from "../valve-word.ts";
import type { BoardLine } from "./board-cards.ts";

export interface LineNowProps {
  line: BoardLine;
  /** What stands under the crosshair, shown units; undefined while nobody points. */
  under: number | undefined;
  /** The range ends now; the newest value has no place in one that is past. */
  follows: boolean;
}

/** A line's value under the crosshair, or its newest, with its unit. Empty in a past range without a crosshair. */
export function LineNow({ line: { source, field }, under, follows }: LineNowProps) {
  const { t } = useTranslation("common");
  const { reading } = useLiveReading(source);
  if (under === undefined && !follows) return null;
  const newest = readingNumber(reading, field.name);
  // A bar is as high as the share of the time that the valve was open.
  if (field.name === VALVE) return valveWord(under === undefined ? newest : 2 - under, t);
  const text =
    under === undefined
      ? formatReading(newest, fieldFormat(field, "log"))
      : formatReading(under, { decimals: field.decimals });
  return field.unit === "" || text === "--" ? text : `${text} ${field.unit}`;
}

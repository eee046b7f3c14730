import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { Watering } from "@mulkko/shared/live/watering";
import type { TimedRow } from "./raw-slices.ts";
import type { Sheet } from "./write-workbook.ts";

/** Translations and time format of a workbook. Headings of times name the time zone. */
export interface SheetTexts {
  /** Heading of the time column. */
  readonly time: string;
  /** Heading of the farm column. */
  readonly farm: string;
  field(name: string): string;
  /** Format an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss`. */
  wallTime(instant: number): string;
}

const headOf = (label: string, unit: string): string => (unit === "" ? label : `${label} (${unit})`);

/**
 * Build the sheet of one device from its raw rows: time, each field of its type in display units, and its
 * farm, null for none.
 */
export function deviceSheet(
  name: string,
  farm: string | null,
  fields: readonly FieldSpec[],
  rows: readonly TimedRow[],
  texts: SheetTexts,
): Sheet {
  return {
    name,
    columns: [
      { head: texts.time, kind: "time" },
      ...fields.map(({ name: field, unit }) => ({
        head: headOf(texts.field(field), unit),
        kind: "number" as const,
      })),
      { head: texts.farm, kind: "text" },
    ],
    rows: rows.map(({ at, row }) => {
      const values = measurementsOf(row);
      return [
        texts.wallTime(at),
        ...fields.map(({ name: field, scale }) => {
          const value = values[field] ?? null;
          return value === null ? null : scaled(value, scale);
        }),
        farm,
      ];
    }),
  };
}

/** Round after scaling: a factor of a thousandth leaves binary rounding errors. */
function scaled(value: number, scale: number | undefined): number {
  return scale === undefined ? value : Number((value * scale).toPrecision(12));
}

/** Translations of the sheet of waterings. */
export interface WateringSheetTexts extends Pick<SheetTexts, "wallTime"> {
  readonly sheet: string;
  readonly heads: Readonly<
    Record<
      "channel" | "cause" | "by" | "start" | "end" | "reason" | "before" | "after" | "litres" | "farm",
      string
    >
  >;
  cause(cause: Watering["cause"]): string;
  /** Describe its end and when that was confirmed. */
  ending(watering: Watering): string;
  /** Describe the start of the records. */
  keptSince(time: string): string;
}

/** Watering with the names of its channel and of the channel's farm, null for none. */
export interface NamedWatering {
  readonly channel: string;
  readonly farm: string | null;
  readonly watering: Watering;
}

/** Build the sheet of all waterings, oldest first, with the start of the records. */
export function wateringSheet(
  waterings: readonly NamedWatering[],
  keptFrom: number,
  texts: WateringSheetTexts,
): Sheet {
  const { heads, wallTime } = texts;
  const sorted = waterings.toSorted((a, b) => Date.parse(a.watering.start) - Date.parse(b.watering.start));
  return {
    name: texts.sheet,
    columns: [
      { head: heads.channel, kind: "text" },
      { head: heads.cause, kind: "text" },
      { head: heads.by, kind: "text" },
      { head: heads.start, kind: "time" },
      { head: heads.end, kind: "time" },
      { head: heads.reason, kind: "text" },
      { head: heads.before, kind: "number" },
      { head: heads.after, kind: "number" },
      { head: heads.litres, kind: "number" },
      { head: heads.farm, kind: "text" },
    ],
    rows: [
      ...sorted.map(({ channel, farm, watering }) => [
        channel,
        texts.cause(watering.cause),
        watering.by?.nickname,
        wallTime(Date.parse(watering.start)),
        watering.end === null ? null : wallTime(Date.parse(watering.end)),
        texts.ending(watering),
        watering.moistureBefore,
        watering.moistureAfter,
        watering.litres,
        farm,
      ]),
      [],
      [texts.keptSince(wallTime(keptFrom))],
    ],
  };
}

import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { Watering } from "@mulkko/shared/live/watering";
import type { TimedRow } from "./raw-slices.ts";
import type { Sheet } from "./write-workbook.ts";

/** Words and clock of a workbook. */
export interface SheetWords {
  /** Head of the column of times. */
  readonly time: string;
  field(name: string): string;
  /** `YYYY-MM-DD HH:mm:ss` of an instant, ms UTC. */
  wallTime(instant: number): string;
}

const headOf = (label: string, unit: string): string => (unit === "" ? label : `${label} (${unit})`);

/** Raw rows of one device: when, and each field of its type in shown units. */
export function deviceSheet(
  name: string,
  fields: readonly FieldSpec[],
  rows: readonly TimedRow[],
  words: SheetWords,
): Sheet {
  return {
    name,
    columns: [
      { head: words.time, kind: "time" },
      ...fields.map(({ name: field, unit }) => ({
        head: headOf(words.field(field), unit),
        kind: "number" as const,
      })),
    ],
    rows: rows.map(({ at, row }) => {
      const values = measurementsOf(row);
      return [
        words.wallTime(at),
        ...fields.map(({ name: field, scale }) => {
          const value = values[field] ?? null;
          return value === null ? null : scaled(value, scale);
        }),
      ];
    }),
  };
}

/** A factor of a thousandth leaves no tail of binary digits. */
function scaled(value: number, scale: number | undefined): number {
  return scale === undefined ? value : Number((value * scale).toPrecision(12));
}

/** Words of the sheet of waterings. */
export interface WateringWords extends Pick<SheetWords, "wallTime"> {
  readonly sheet: string;
  readonly heads: Readonly<
    Record<"channel" | "cause" | "by" | "start" | "end" | "reason" | "before" | "after" | "litres", string>
  >;
  cause(cause: Watering["cause"]): string;
  /** How it ended, and until when that was not confirmed. */
  ending(watering: Watering): string;
  /** From when on there are any. */
  keptSince(time: string): string;
}

/** A watering with the name of its channel. */
export interface NamedWatering {
  readonly channel: string;
  readonly watering: Watering;
}

/** All waterings, oldest first, and from when on they are kept. */
export function wateringSheet(
  waterings: readonly NamedWatering[],
  keptFrom: number,
  words: WateringWords,
): Sheet {
  const { heads, wallTime } = words;
  const sorted = waterings.toSorted((a, b) => Date.parse(a.watering.start) - Date.parse(b.watering.start));
  return {
    name: words.sheet,
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
    ],
    rows: [
      ...sorted.map(({ channel, watering }) => [
        channel,
        words.cause(watering.cause),
        watering.by?.nickname,
        wallTime(Date.parse(watering.start)),
        watering.end === null ? null : wallTime(Date.parse(watering.end)),
        words.ending(watering),
        watering.moistureBefore,
        watering.moistureAfter,
        watering.litres,
      ]),
      [],
      [words.keptSince(wallTime(keptFrom))],
    ],
  };
}

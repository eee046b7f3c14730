import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { Sheet } from "../../log/export/write-workbook.ts";
import { type SensorRow, shownNumber } from "./model.ts";

/** Words and clock of the sheet; what heads the columns that every type has. */
export interface SheetWords {
  readonly name: string;
  readonly serial: string;
  readonly firmware: string;
  readonly live: string;
  readonly time: string;
  field(name: string): string;
  /** `YYYY-MM-DD HH:mm:ss` of an instant, ms UTC, on the account's clock. */
  wallTime(instant: number): string;
}

/** The table as a sheet: numbers as they are shown, times as times, what is missing empty. */
export function tableSheet(
  title: string,
  fields: readonly FieldSpec[],
  rows: readonly SensorRow[],
  words: SheetWords,
): Sheet {
  const measured = fields.map((field) => {
    const unit = field.unit === "" ? "" : ` (${field.unit})`;
    return { head: `${words.field(field.name)}${unit}`, kind: "number" } as const;
  });
  const time = (text: string | null) => (text === null ? null : words.wallTime(Date.parse(text)));
  return {
    name: title,
    columns: [
      { head: words.name, kind: "text" },
      { head: words.serial, kind: "text" },
      ...measured,
      { head: words.firmware, kind: "text" },
      { head: words.live, kind: "time" },
      { head: words.time, kind: "time" },
    ],
    rows: rows.map((row) => [
      row.name,
      row.serial,
      ...fields.map((field) => shownNumber(row.values[field.name] ?? null, field)),
      row.firmware,
      time(row.heardAt),
      time(row.at),
    ]),
  };
}

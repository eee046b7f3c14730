import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { fieldAs } from "@mulkko/shared/catalogue/registry";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Sheet } from "../../domain/log/export/write-workbook.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type SensorRow, shownNumber } from "./model.ts";

/** Save the table as an Excel file. The code that writes it loads on the first click. */
export function useDownload(
  title: string,
  fields: readonly FieldSpec[],
  rows: () => readonly SensorRow[],
): { run: () => void; busy: boolean; failed: boolean } {
  const { t } = useTranslation(["sensor-table", "common"]);
  const labels = useLabels();
  const { zone } = useTimeWords();
  const writing = useMutation({
    async mutationFn() {
      const [{ writeWorkbook }, { sheetNames, fileName }, { wallTime }] = await Promise.all([
        import("../../domain/log/export/write-workbook.ts"),
        import("../../domain/log/export/file-names.ts"),
        import("../../domain/log/export/wall-time.ts"),
      ]);
      const [name = title] = sheetNames([title]);
      const sheet = tableSheet(name, fields, rows(), {
        wallTime: wallTime(zone),
        name: t("name"),
        serial: t("common:field.serial"),
        firmware: t("common:field.fwversion"),
        live: t("live"),
        time: t("common:field.createdDate"),
        field: labels.field,
      });
      await writeWorkbook([sheet], fileName(title));
    },
  });
  return { run: () => writing.mutate(), busy: writing.isPending, failed: writing.isError };
}

/** Translations and time format of the spreadsheet, with the headings of the common columns. */
export interface SheetTexts {
  readonly name: string;
  readonly serial: string;
  readonly firmware: string;
  readonly live: string;
  readonly time: string;
  field(name: string): string;
  /** Format an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss` on the account's clock. */
  wallTime(instant: number): string;
}

/** Build a spreadsheet of the table: displayed numbers, date cells, and empty cells for missing values. */
export function tableSheet(
  title: string,
  fields: readonly FieldSpec[],
  rows: readonly SensorRow[],
  words: SheetTexts,
): Sheet {
  const measured = fields.map((field) => {
    const known = rows.flatMap(({ values }) => values[field.name] ?? []);
    const units = [...new Set(known.map((value) => fieldAs(field, value).unit))];
    const unit = field.unit === "" ? "" : ` (${units.join(", ") || field.unit})`;
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

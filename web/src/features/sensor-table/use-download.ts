import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import type { SensorRow } from "./model.ts";
import { tableSheet } from "./sheet.ts";

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

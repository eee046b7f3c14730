import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type FleetColumn, fleetSheet } from "./fleet-sheet.ts";

/** Save the board as an Excel file. The code that writes it loads on the first click. */
export function useFleetExport(
  store: FleetStore,
  entries: readonly BoardEntry[],
): { run: () => void; busy: boolean; failed: boolean } {
  const { t } = useTranslation(["fleet", "common"]);
  const labels = useLabels();
  const { zone } = useTimeWords();
  const head = (column: FleetColumn): string => {
    switch (column) {
      case "type":
      case "fw":
        return t(`facet.${column}`);
      case "serial":
        return t("common:field.serial");
      case "battery":
        return `${t("common:field.battery")} (%)`;
      case "signal":
        return `${t("common:field.rssi")} (dBm)`;
      case "owner":
      case "name":
      case "kind":
      case "state":
      case "since":
      case "heard":
      case "latitude":
      case "longitude":
        return t(`column.${column}`);
    }
  };
  const writing = useMutation({
    async mutationFn() {
      const [{ writeWorkbook }, { sheetNames, fileName }, { wallTime }] = await Promise.all([
        import("../../domain/log/export/write-workbook.ts"),
        import("../../domain/log/export/file-names.ts"),
        import("../../domain/log/export/wall-time.ts"),
      ]);
      const title = t("title");
      const sheet = fleetSheet(entries, store.all("device"), {
        title: sheetNames([title])[0] ?? title,
        head,
        kind: (kind) => t(`kind.${kind}`),
        type: labels.deviceType,
        state: (each) => t(`state.${each}`),
        wallTime: wallTime(zone),
      });
      await writeWorkbook([sheet], fileName(title));
    },
  });
  return { run: () => writing.mutate(), busy: writing.isPending, failed: writing.isError };
}

import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { deviceState, type FleetState, nameOf } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { type Sheet, type SheetColumn, sheetOf, writeSheet } from "../../domain/log/export/write-workbook.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";

type FleetColumn =
  | "owner"
  | "name"
  | "kind"
  | "type"
  | "serial"
  | "state"
  | "since"
  | "received"
  | "battery"
  | "signal"
  | "fw"
  | "latitude"
  | "longitude";

/** Translations and time format of the spreadsheet. */
export interface FleetSheetTexts {
  head(column: FleetColumn): string;
  kind(kind: FleetDeviceValue["kind"]): string;
  type(type: string): string;
  state(state: FleetState): string;
  /** Format an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss` on the reader's clock. */
  wallTime(instant: number): string;
}

/** Build a spreadsheet of the board: the shown devices in order, with empty cells for unknown values. */
export function fleetSheet(
  entries: readonly BoardEntry[],
  devices: ReadonlyMap<string, FleetDeviceValue>,
  texts: FleetSheetTexts,
): Omit<Sheet, "name"> {
  const time = (text: string | null) => (text === null ? null : texts.wallTime(Date.parse(text)));
  const column = (
    name: FleetColumn,
    kind: SheetColumn["kind"],
    value: (device: FleetDeviceValue) => unknown,
  ) => ({ head: texts.head(name), kind, value });
  const shown = entries.flatMap((entry) => (entry.kind === "device" ? (devices.get(entry.key) ?? []) : []));
  return sheetOf(
    [
      column("owner", "text", ({ username }) => username),
      column("name", "text", nameOf),
      column("kind", "text", ({ kind }) => texts.kind(kind)),
      column("type", "text", ({ deviceType }) => (deviceType === null ? null : texts.type(deviceType))),
      column("serial", "text", ({ serial }) => serial),
      column("state", "text", (device) => texts.state(deviceState(device))),
      column("since", "time", ({ since }) => time(since)),
      column("received", "time", ({ heardAt }) => time(heardAt)),
      column("battery", "number", ({ battery }) => battery),
      column("signal", "number", ({ rssi }) => rssi),
      column("fw", "text", ({ fwversion }) => fwversion),
      column("latitude", "number", ({ latitude }) => latitude),
      column("longitude", "number", ({ longitude }) => longitude),
    ],
    shown,
  );
}

/** Save the board as an Excel file. */
export function useFleetExport(
  store: FleetStore,
  entries: readonly BoardEntry[],
): { run: () => void; busy: boolean; failed: boolean } {
  const { t } = useTranslation(["fleet", "common"]);
  const labels = useLabels();
  const { zone } = useTimeTexts();
  const head = (column: FleetColumn): string => {
    if (column === "type" || column === "fw") return t(`facet.${column}`);
    if (column === "serial") return t("common:field.serial");
    if (column === "battery") return `${t("common:field.battery")} (%)`;
    if (column === "signal") return `${t("common:field.rssi")} (dBm)`;
    return t(`column.${column}`);
  };
  const writing = useMutation({
    async mutationFn() {
      const sheet = fleetSheet(entries, store.all("device"), {
        head,
        kind: (kind) => t(`kind.${kind}`),
        type: labels.deviceType,
        state: (each) => t(`state.${each}`),
        wallTime: createApiTimeZone(zone).toApi,
      });
      await writeSheet(t("title"), sheet);
    },
  });
  return { run: () => writing.mutate(), busy: writing.isPending, failed: writing.isError };
}

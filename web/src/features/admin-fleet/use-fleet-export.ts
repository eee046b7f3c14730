import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { deviceState, type FleetState, nameOf } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { fileName, type Sheet, sheetNames, writeWorkbook } from "../../domain/log/export/write-workbook.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";

const COLUMNS = [
  ["owner", "text"],
  ["name", "text"],
  ["kind", "text"],
  ["type", "text"],
  ["serial", "text"],
  ["state", "text"],
  ["since", "time"],
  ["received", "time"],
  ["battery", "number"],
  ["signal", "number"],
  ["fw", "text"],
  ["latitude", "number"],
  ["longitude", "number"],
] as const;
type FleetColumn = (typeof COLUMNS)[number][0];

/** Translations and time format of the spreadsheet. */
export interface FleetSheetTexts {
  readonly title: string;
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
): Sheet {
  const time = (text: string | null) => (text === null ? null : texts.wallTime(Date.parse(text)));
  const cells = (device: FleetDeviceValue): Readonly<Record<FleetColumn, unknown>> => ({
    owner: device.username,
    name: nameOf(device),
    kind: texts.kind(device.kind),
    type: device.deviceType === null ? null : texts.type(device.deviceType),
    serial: device.serial,
    state: texts.state(deviceState(device)),
    since: time(device.since),
    received: time(device.heardAt),
    battery: device.battery,
    signal: device.rssi,
    fw: device.fwversion,
    latitude: device.latitude,
    longitude: device.longitude,
  });
  const rows = entries.flatMap((entry) => {
    const device = entry.kind === "device" ? devices.get(entry.key) : undefined;
    if (!device) return [];
    const row = cells(device);
    return [COLUMNS.map(([column]) => row[column])];
  });
  return {
    name: texts.title,
    columns: COLUMNS.map(([column, kind]) => ({ head: texts.head(column), kind })),
    rows,
  };
}

/** Save the board as an Excel file. */
export function useFleetExport(
  store: FleetStore,
  entries: readonly BoardEntry[],
): { run: () => void; busy: boolean; failed: boolean } {
  const { t } = useTranslation(["fleet", "common"]);
  const labels = useLabels();
  const { zone } = useTimeWords();
  const head = (column: FleetColumn): string => {
    if (column === "type" || column === "fw") return t(`facet.${column}`);
    if (column === "serial") return t("common:field.serial");
    if (column === "battery") return `${t("common:field.battery")} (%)`;
    if (column === "signal") return `${t("common:field.rssi")} (dBm)`;
    return t(`column.${column}`);
  };
  const writing = useMutation({
    async mutationFn() {
      const title = t("title");
      const sheet = fleetSheet(entries, store.all("device"), {
        title: sheetNames([title])[0] ?? title,
        head,
        kind: (kind) => t(`kind.${kind}`),
        type: labels.deviceType,
        state: (each) => t(`state.${each}`),
        wallTime: createApiTimeZone(zone).toApi,
      });
      await writeWorkbook([sheet], fileName(title));
    },
  });
  return { run: () => writing.mutate(), busy: writing.isPending, failed: writing.isError };
}

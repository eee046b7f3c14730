import type { FleetAccountValue, FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMutation } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { deviceState, nameOf } from "../../domain/fleet/device-state.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { type Sheet, sheetOf, writeSheet } from "../../domain/log/export/write-workbook.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";

/** Translations and time format of the spreadsheet. */
interface FleetSheetTexts {
  readonly t: TFunction<["fleet", "common"]>;
  readonly deviceType: (type: string) => string;
  /** Format an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss` on the reader's clock. */
  readonly wallTime: (instant: number) => string;
}

/** Devices and accounts of the fleet by key. */
interface FleetRows {
  readonly devices: ReadonlyMap<string, FleetDeviceValue>;
  readonly accounts: ReadonlyMap<string, FleetAccountValue>;
}

/**
 * Build a spreadsheet of the board: the shown devices in order, each with the person to call, with empty cells
 * for unknown values (FIND-2).
 */
export function fleetSheet(
  entries: readonly BoardEntry[],
  { devices, accounts }: FleetRows,
  { t, deviceType, wallTime }: FleetSheetTexts,
): Omit<Sheet, "name"> {
  const time = (text: string | null) => (text === null ? null : wallTime(Date.parse(text)));
  const typeOf = ({ deviceType: type }: FleetDeviceValue) => (type === null ? null : deviceType(type));
  const ownerOf = ({ account }: FleetDeviceValue) =>
    account === null ? undefined : accounts.get(fleetAccountKey(account));
  const shown = entries.flatMap((entry) => (entry.kind === "device" ? (devices.get(entry.key) ?? []) : []));
  return sheetOf(
    [
      { head: t("column.owner"), kind: "text", value: ({ username }) => username },
      { head: t("column.person"), kind: "text", value: (device) => ownerOf(device)?.nickname },
      { head: t("column.phone"), kind: "text", value: (device) => ownerOf(device)?.phone },
      { head: t("column.farmAddress"), kind: "text", value: (device) => ownerOf(device)?.farmAddress },
      { head: t("column.farm"), kind: "text", value: ({ farm }) => farm },
      { head: t("column.name"), kind: "text", value: nameOf },
      { head: t("column.kind"), kind: "text", value: ({ kind }) => t(`kind.${kind}`) },
      { head: t("facet.type"), kind: "text", value: typeOf },
      { head: t("common:field.serial"), kind: "text", value: ({ serial }) => serial },
      { head: t("column.state"), kind: "text", value: (device) => t(`state.${deviceState(device)}`) },
      { head: t("column.since"), kind: "time", value: ({ since }) => time(since) },
      { head: t("column.received"), kind: "time", value: ({ heardAt }) => time(heardAt) },
      { head: t("common:field.createdDate"), kind: "time", value: ({ at, heardAt }) => time(at ?? heardAt) },
      { head: `${t("common:field.battery")} (%)`, kind: "number", value: ({ battery }) => battery },
      { head: `${t("common:field.rssi")} (dBm)`, kind: "number", value: ({ rssi }) => rssi },
      { head: t("facet.fw"), kind: "text", value: ({ fwversion }) => fwversion },
      { head: t("column.latitude"), kind: "number", value: ({ latitude }) => latitude },
      { head: t("column.longitude"), kind: "number", value: ({ longitude }) => longitude },
    ],
    shown,
  );
}

/** Save the board as an Excel file. */
export function useFleetExport(store: FleetStore, entries: readonly BoardEntry[]) {
  const { t } = useTranslation(["fleet", "common"]);
  const { deviceType } = useLabels();
  const { zone } = useTimeTexts();
  return useMutation({
    mutationFn() {
      const texts = { t, deviceType, wallTime: createApiTimeZone(zone).toApi };
      const rows = { devices: store.all("device"), accounts: store.all("account") };
      return writeSheet(t("title"), fleetSheet(entries, rows, texts));
    },
  });
}

import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { deviceState, type FleetState, nameOf } from "../../domain/fleet/device-state.ts";
import type { Sheet } from "../../domain/log/export/write-workbook.ts";

const COLUMNS = [
  ["owner", "text"],
  ["name", "text"],
  ["kind", "text"],
  ["type", "text"],
  ["serial", "text"],
  ["state", "text"],
  ["since", "time"],
  ["heard", "time"],
  ["battery", "number"],
  ["signal", "number"],
  ["fw", "text"],
  ["latitude", "number"],
  ["longitude", "number"],
] as const;
export type FleetColumn = (typeof COLUMNS)[number][0];

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
    heard: time(device.heardAt),
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

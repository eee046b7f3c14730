import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import type { BoardEntry } from "../../fleet/board.ts";
import { type FleetState, nameOf, stateOf } from "../../fleet/device-state.ts";
import type { Sheet } from "../../log/export/write-workbook.ts";

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

/** Words and clock of the sheet. */
export interface FleetSheetWords {
  readonly title: string;
  head(column: FleetColumn): string;
  kind(kind: FleetDeviceValue["kind"]): string;
  type(type: string): string;
  state(state: FleetState): string;
  /** `YYYY-MM-DD HH:mm:ss` of an instant, ms UTC, on the reader's clock. */
  wallTime(instant: number): string;
}

/** The board as a sheet: the devices that are shown, in its order; what is not known stays empty. */
export function fleetSheet(
  entries: readonly BoardEntry[],
  devices: ReadonlyMap<string, FleetDeviceValue>,
  words: FleetSheetWords,
): Sheet {
  const time = (text: string | null) => (text === null ? null : words.wallTime(Date.parse(text)));
  const cells = (device: FleetDeviceValue): Readonly<Record<FleetColumn, unknown>> => ({
    owner: device.username,
    name: nameOf(device),
    kind: words.kind(device.kind),
    type: device.deviceType === null ? null : words.type(device.deviceType),
    serial: device.serial,
    state: words.state(stateOf(device.quality)),
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
    name: words.title,
    columns: COLUMNS.map(([column, kind]) => ({ head: words.head(column), kind })),
    rows,
  };
}

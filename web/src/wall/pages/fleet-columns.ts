/** What a line of the fleet's board may say of a device. */
export const FLEET_COLUMNS = ["name", "owner", "type", "battery", "signal", "fw", "beats", "age"] as const;
export type FleetColumn = (typeof FLEET_COLUMNS)[number];

/** From how wide a board on a column stands there, and its own width; px of the drawn screen. The name has the rest. */
const ROOM: Readonly<
  Record<Exclude<FleetColumn, "name">, { readonly from: number; readonly width: number }>
> = {
  age: { from: 0, width: 165 },
  beats: { from: 0, width: 230 },
  battery: { from: 820, width: 115 },
  signal: { from: 1_050, width: 200 },
  type: { from: 1_300, width: 280 },
  fw: { from: 1_500, width: 125 },
  // Each device stands below its owner as it is.
  owner: { from: 1_700, width: 220 },
};

/** A column with its width, px of the drawn screen; null: what the others leave. */
export interface PlacedColumn {
  readonly column: FleetColumn;
  readonly width: number | null;
}

/** The columns that have room on a board so wide, in their order. @param width px of the drawn screen */
export const fleetColumns = (width: number): PlacedColumn[] =>
  FLEET_COLUMNS.flatMap((column): PlacedColumn[] => {
    if (column === "name") return [{ column, width: null }];
    const { from, width: own } = ROOM[column];
    return width < from ? [] : [{ column, width: own }];
  });

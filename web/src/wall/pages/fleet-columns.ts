/** Possible columns of the fleet board. */
export const FLEET_COLUMNS = [
  "name",
  "owner",
  "type",
  "battery",
  "signal",
  "fw",
  "heartbeat",
  "age",
] as const;
export type FleetColumn = (typeof FLEET_COLUMNS)[number];

/** Minimum board width and own width of each column; px of the drawn screen. The name gets the rest. */
const ROOM: Readonly<
  Record<Exclude<FleetColumn, "name">, { readonly from: number; readonly width: number }>
> = {
  age: { from: 0, width: 165 },
  heartbeat: { from: 0, width: 230 },
  battery: { from: 820, width: 115 },
  signal: { from: 1_050, width: 200 },
  type: { from: 1_300, width: 280 },
  fw: { from: 1_500, width: 125 },
  // Devices are grouped below their owner anyway.
  owner: { from: 1_700, width: 220 },
};

/** A column with its width, px of the drawn screen; null: the remaining width. */
export interface PlacedColumn {
  readonly column: FleetColumn;
  readonly width: number | null;
}

/** Return the columns that fit a board's width, in order. @param width px of the drawn screen */
export const fleetColumns = (width: number): PlacedColumn[] =>
  FLEET_COLUMNS.flatMap((column): PlacedColumn[] => {
    if (column === "name") return [{ column, width: null }];
    const { from, width: own } = ROOM[column];
    return width < from ? [] : [{ column, width: own }];
  });

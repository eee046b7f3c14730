import { shallow } from "zustand/shallow";
import type { AccountEntry, BoardEntry } from "../../domain/fleet/board.ts";
import type { Waiting } from "../waiting.ts";

/** Possible columns of the fleet board. */
const FLEET_COLUMNS = ["name", "owner", "type", "battery", "signal", "fw", "heartbeat", "age"] as const;
export type FleetColumn = (typeof FLEET_COLUMNS)[number];

/** Minimum board width and own width of each column; px of the drawn screen. The name gets the rest. */
const ROOM: Readonly<
  Record<Exclude<FleetColumn, "name">, { readonly from: number; readonly width: number }>
> = {
  age: { from: 0, width: 165 },
  heartbeat: { from: 0, width: 220 },
  battery: { from: 825, width: 140 },
  signal: { from: 1_050, width: 200 },
  type: { from: 1_305, width: 280 },
  fw: { from: 1_500, width: 170 },
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

/** An account with its displayed devices. */
export interface FleetGroup extends Omit<AccountEntry, "kind"> {
  /** Keys in the `fleet` stream. */
  readonly keys: readonly string[];
}

/** Lines that fit at once, and the number of devices that wait for another lap. */
export interface FleetRows {
  readonly groups: readonly FleetGroup[];
  readonly waiting: Waiting;
}

const lengthOf = (groups: readonly FleetGroup[]): number =>
  groups.reduce((sum, { keys }) => sum + keys.length, 0);

/** Height of an account's heading, in lines. */
const HEADING = 1;

function groupsOf(entries: readonly BoardEntry[], isWanted: (key: string) => boolean): FleetGroup[] {
  const groups: (FleetGroup & { keys: string[] })[] = [];
  for (const entry of entries) {
    if (entry.kind === "account") {
      const { kind: _, ...heading } = entry;
      groups.push({ ...heading, keys: [] });
    } else if (isWanted(entry.key)) groups.at(-1)?.keys.push(entry.key);
  }
  return groups.filter(({ keys }) => keys.length > 0);
}

/**
 * Split groups into turns of a number of lines. A group that continues in the next turn repeats its heading.
 * Free space of the last turn is filled from the beginning.
 *
 * @param headed accounts whose headings are shown anyway
 */
function turnsOf(groups: readonly FleetGroup[], lines: number, headed: ReadonlySet<string>): FleetGroup[][] {
  const turns: FleetGroup[][] = [];
  let free = 0;
  for (const group of groups) {
    const heading = headed.has(group.id) ? 0 : HEADING;
    let from = 0;
    while (from < group.keys.length) {
      if (free < heading + 1) {
        if (lines < heading + 1) return turns;
        turns.push([]);
        free = lines;
      }
      const keys = group.keys.slice(from, from + free - heading);
      turns.at(-1)?.push({ ...group, keys });
      free -= heading + keys.length;
      from += keys.length;
    }
  }
  const last = turns.at(-1);
  if (last === undefined || turns.length === 1) return turns;
  for (const group of groups) {
    const place = last.findIndex(({ id }) => id === group.id);
    const there = last[place];
    const heading = there || headed.has(group.id) ? 0 : HEADING;
    if (free < heading + 1) break;
    const keys = group.keys.filter((key) => !there?.keys.includes(key)).slice(0, free - heading);
    if (there) last[place] = { ...there, keys: [...there.keys, ...keys] };
    else last.push({ ...group, keys });
    free -= heading + keys.length;
  }
  return turns;
}

/**
 * Return the board's lines on the page. Problem devices come first and rotate per lap if they do not all fit.
 * Healthy ones rotate through the remaining space.
 *
 * @param entries the whole board, worst account first, and in it the worst device
 * @param lines number of lines that fit, headings included
 */
export function fleetRows(
  entries: readonly BoardEntry[],
  isAmiss: (key: string) => boolean,
  lines: number,
  lap: number,
): FleetRows {
  const amiss = groupsOf(entries, isAmiss);
  const well = groupsOf(entries, (key) => !isAmiss(key));
  const turns = turnsOf(amiss, lines, new Set());
  const shown = turns[lap % Math.max(1, turns.length)] ?? [];
  const groups = new Map(shown.map((group) => [group.id, group]));
  if (turns.length <= 1) {
    const free = lines - shown.length * HEADING - lengthOf(shown);
    const further = turnsOf(well, free, new Set(groups.keys()));
    for (const group of further[lap % Math.max(1, further.length)] ?? []) {
      groups.set(group.id, { ...group, keys: [...(groups.get(group.id)?.keys ?? []), ...group.keys] });
    }
  }
  const all = [...groups.values()];
  const wrong = lengthOf(amiss) - lengthOf(shown);
  return { groups: all, waiting: { count: lengthOf(amiss) + lengthOf(well) - lengthOf(all), wrong } };
}

const sameGroup = (a: FleetGroup, b: FleetGroup | undefined): boolean =>
  b !== undefined && shallow({ ...a, keys: a.keys.join() }, { ...b, keys: b.keys.join() });

/** Return true for lines that render identically. */
export const sameFleetRows = (a: FleetRows, b: FleetRows): boolean =>
  shallow(a.waiting, b.waiting) &&
  a.groups.length === b.groups.length &&
  a.groups.every((group, index) => sameGroup(group, b.groups[index]));

import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { type ValveUnit, valveUnits } from "../../domain/valve/valve-units.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import type { Waiting } from "../waiting.ts";
import { alarmsByKey } from "./alarm-keys.ts";

/** A unit with the channels below its name; `id` is unique among the rows. */
export interface ValveRow {
  readonly id: string;
  readonly name: string;
  readonly channels: readonly string[];
}

/** Valve rows that fit at once, and the number of units that wait for another lap. */
export interface ValveRows {
  readonly rows: readonly ValveRow[];
  readonly waiting: Waiting;
  /** True if there is room for each channel's name on a line of its own. */
  readonly ownLine: boolean;
}

/** Heights in one unit of length: the page, a unit's name with gaps, and a line of channels. */
export interface ValveRoom {
  /** Number of channels side by side. */
  readonly columns: number;
  readonly height: number;
  readonly head: number;
  readonly line: number;
  /** Additional height of a line of channels whose names are on a line of their own. */
  readonly nameLine: number;
}

const CALM = 9;
const URGENT = 1;

function urgency({ id, form, channels }: ValveUnit, alarms: ReadonlyMap<string, AlarmPriority>): number {
  const own = alarms.get(`${form}:${id}`) ?? CALM;
  const ofChannels = channels.map((channel) => alarms.get(`channel:${channel.id}`) ?? CALM);
  return Math.min(own, ...ofChannels);
}

/** Split a unit with more channels than fit on the page into parts that fit. */
function partsOfUnit(unit: ValveUnit, { columns, height, head, line }: ValveRoom): ValveUnit[] {
  const most = columns * Math.max(1, Math.floor((height - head) / line));
  const parts: ValveUnit[] = [];
  for (let start = 0; start < unit.channels.length; start += most)
    parts.push({ ...unit, channels: unit.channels.slice(start, start + most) });
  return parts;
}

/**
 * Return the units with their channels: the most urgent first and always, then other problems, then calm
 * ones. Those that do not fit rotate per lap. Names get a line of their own only if no more units wait for
 * it: a short name is better than a hidden valve.
 */
export function valveRows(farm: LiveFarm, room: ValveRoom, lap: number): ValveRows {
  const roomy: ValveRoom = { ...room, line: room.line + room.nameLine };
  const waitingIn = (each: ValveRoom): number => rowsIn(farm, each, 0).waiting.count;
  // By the first lap, so that all laps of a page are divided in the same way.
  const ownLine = waitingIn(roomy) <= waitingIn(room);
  return { ...rowsIn(farm, ownLine ? roomy : room, lap), ownLine };
}

function rowsIn(farm: LiveFarm, room: ValveRoom, lap: number): Omit<ValveRows, "ownLine"> {
  const alarms = alarmsByKey(farm.alarms.values());
  const units = valveUnits(farm).flatMap((unit) => partsOfUnit(unit, room));
  const isWrong = (unit: ValveUnit) => urgency(unit, alarms) < CALM;
  const isUrgent = (unit: ValveUnit) => urgency(unit, alarms) === URGENT;
  const wrong = units.filter(isWrong).sort((a, b) => urgency(a, alarms) - urgency(b, alarms));
  const kinds = [
    wrong.filter(isUrgent),
    wrong.filter((unit) => !isUrgent(unit)),
    units.filter((unit) => !isWrong(unit)),
  ];
  const heightOf = ({ channels }: ValveUnit): number =>
    room.head + Math.ceil(channels.length / room.columns) * room.line;
  const heightOfAll = (some: readonly ValveUnit[]): number =>
    some.reduce((sum, unit) => sum + heightOf(unit), 0);
  let free = room.height;
  const shown: ValveUnit[] = [];
  for (const kind of kinds) {
    const haveRoom = heightOfAll(kind) <= free;
    const turns = haveRoom ? [kind] : turnsOf(kind, free, heightOf, shown.length === 0);
    const part = turns[lap % Math.max(1, turns.length)] ?? [];
    shown.push(...part);
    free -= heightOfAll(part);
    if (!haveRoom) break;
  }
  return {
    rows: shown.map(({ id, name, channels }) => ({
      id: `${id} ${channels[0]?.id}`,
      name,
      channels: channels.map((channel) => channel.id),
    })),
    waiting: {
      count: units.length - shown.length,
      wrong: wrong.length - shown.filter(isWrong).length,
    },
  };
}

/** Split a list into parts that fit; `atLeastOne`: the page shows nothing else. */
function turnsOf(
  units: readonly ValveUnit[],
  height: number,
  heightOf: (unit: ValveUnit) => number,
  atLeastOne: boolean,
): ValveUnit[][] {
  if (!atLeastOne && units.every((unit) => heightOf(unit) > height)) return [];
  const turns: ValveUnit[][] = [];
  let used = 0;
  for (const unit of units) {
    const current = turns.at(-1);
    if (current && used + heightOf(unit) <= height) {
      current.push(unit);
      used += heightOf(unit);
    } else {
      turns.push([unit]);
      used = heightOf(unit);
    }
  }
  return turns;
}

export function sameRows(a: ValveRows, b: ValveRows): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

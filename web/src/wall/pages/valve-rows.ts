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
  /** Number of channels side by side: small units stand beside each other. */
  readonly width: number;
}

/** Valve rows that fit at once, and the number of units that wait for another lap. */
export interface ValveRows {
  readonly rows: readonly ValveRow[];
  readonly waiting: Waiting;
  /** True if there is room for one more line in each channel: the foot's second, of a tight screen the name's own. */
  readonly ownLine: boolean;
  /** False on a page too low for a unit's name over a line of channels: each channel has its whole name then. */
  readonly hasHeads: boolean;
}

/** Heights in one unit of length: the page, a unit's name with gaps, and a line of channels. */
export interface ValveRoom {
  /** Number of channels side by side. */
  readonly columns: number;
  readonly height: number;
  readonly head: number;
  readonly line: number;
  /** Additional height of a line of channels with one more line of text. */
  readonly nameLine: number;
}

const CALM = 9;
const RUNNING = 5;
const URGENT = 1;

/** Rank of a unit; lower is more urgent. From `RUNNING` on there is no problem. */
function rankOf({ id, form, channels }: ValveUnit, alarms: ReadonlyMap<string, AlarmPriority>): number {
  const own = alarms.get(`${form}:${id}`) ?? CALM;
  const ofChannels = channels.map(
    (channel) => alarms.get(`channel:${channel.id}`) ?? (channel.value.onoff === 1 ? RUNNING : CALM),
  );
  return Math.min(own, ...ofChannels);
}

/** Split a unit with more channels than fit into parts that fit. */
function partsOfUnit(unit: ValveUnit, { columns, height, head, line }: ValveRoom): ValveUnit[] {
  const most = columns * Math.max(1, Math.floor((height - head) / line));
  const parts: ValveUnit[] = [];
  for (let start = 0; start < unit.channels.length; start += most)
    parts.push({ ...unit, channels: unit.channels.slice(start, start + most) });
  return parts;
}

/** Units that stand side by side. */
interface Band {
  units: ValveUnit[];
  freeColumns: number;
  lines: number;
}

/** Place units in order, each in the first band with room for it. */
function bandsOf(units: readonly ValveUnit[], { columns }: ValveRoom): Band[] {
  const bands: Band[] = [];
  for (const unit of units) {
    const width = Math.min(unit.channels.length, columns);
    const beside = bands.find(({ freeColumns }) => freeColumns >= width);
    if (beside) {
      beside.units.push(unit);
      beside.freeColumns -= width;
    } else {
      const lines = Math.ceil(unit.channels.length / columns);
      bands.push({ units: [unit], freeColumns: columns - width, lines });
    }
  }
  return bands;
}

const heightOf = (units: readonly ValveUnit[], room: ValveRoom): number =>
  bandsOf(units, room).reduce((sum, { lines }) => sum + room.head + lines * room.line, 0);

/**
 * Return the units with their channels: the most urgent first and always, then other problems, open valves,
 * and calm ones. Those that do not fit rotate per lap. They get one more line of text only if there is room
 * for it and no more units wait for it: a short text is better than a hidden valve. A page too low for a
 * unit's name (a small screen, far away, with a banner and an alarm) shows one channel over its whole width.
 */
export function valveRows(farm: LiveFarm, place: ValveRoom, lap: number): ValveRows {
  const hasHeads = place.head + place.line <= place.height;
  const room = hasHeads ? place : { ...place, columns: 1, head: 0 };
  const roomy: ValveRoom = { ...room, line: room.line + room.nameLine };
  const waitingIn = (each: ValveRoom): number => rowsIn(farm, each, 0).waiting.count;
  // By the first lap, so that all laps of a page are divided in the same way.
  const ownLine = roomy.head + roomy.line <= roomy.height && waitingIn(roomy) <= waitingIn(room);
  return { ...rowsIn(farm, ownLine ? roomy : room, lap), ownLine, hasHeads };
}

function rowsIn(farm: LiveFarm, room: ValveRoom, lap: number): Pick<ValveRows, "rows" | "waiting"> {
  const alarms = alarmsByKey(farm.alarms.values());
  const units = valveUnits(farm).flatMap((unit) => partsOfUnit(unit, room));
  const rank = (unit: ValveUnit) => rankOf(unit, alarms);
  const isWrong = (unit: ValveUnit) => rank(unit) < RUNNING;
  const wrong = units.filter(isWrong).sort((a, b) => rank(a) - rank(b));
  const kinds = [
    wrong.filter((unit) => rank(unit) === URGENT),
    wrong.filter((unit) => rank(unit) !== URGENT),
    units.filter((unit) => rank(unit) === RUNNING),
    units.filter((unit) => rank(unit) === CALM),
  ];
  const shown: ValveUnit[] = [];
  for (const [index, kind] of kinds.entries()) {
    const fits = (some: readonly ValveUnit[]): boolean => heightOf([...shown, ...some], room) <= room.height;
    if (fits(kind)) {
      shown.push(...kind);
      continue;
    }
    // Beside those that stay, a unit may have room for some of its lines only.
    const height = room.height - heightOf(shown, room);
    const parts = shown.length === 0 ? kind : kind.flatMap((unit) => partsOfUnit(unit, { ...room, height }));
    const turns = turnsOf(parts, fits, shown.length === 0);
    const turn = turns[lap % Math.max(1, turns.length)] ?? [];
    shown.push(...turn);
    // What waits for another lap, or is less urgent, fills the room that is left (UI-9).
    for (const unit of [...parts, ...kinds.slice(index + 1).flat()]) {
      if (!shown.includes(unit) && heightOf([...shown, unit], room) <= room.height) shown.push(unit);
    }
    break;
  }
  const visible = new Set(shown.flatMap(({ channels }) => channels.map(({ id }) => id)));
  const isHidden = ({ channels }: ValveUnit) => channels.some(({ id }) => !visible.has(id));
  return {
    rows: bandsOf(shown, room).flatMap((band) =>
      band.units.map(({ id, name, channels }) => ({
        id: `${id} ${channels[0]?.id}`,
        name,
        channels: channels.map((channel) => channel.id),
        width: Math.min(channels.length, room.columns),
      })),
    ),
    waiting: { count: units.filter(isHidden).length, wrong: wrong.filter(isHidden).length },
  };
}

/** Split a list into parts that fit; `atLeastOne`: the page shows nothing else. */
function turnsOf(
  units: readonly ValveUnit[],
  fits: (units: readonly ValveUnit[]) => boolean,
  atLeastOne: boolean,
): ValveUnit[][] {
  const turns: ValveUnit[][] = [];
  for (const unit of units) {
    const turn = turns.find((each) => fits([...each, unit]));
    if (turn) turn.push(unit);
    else if (atLeastOne || fits([unit])) turns.push([unit]);
  }
  return turns;
}

export function sameRows(a: ValveRows, b: ValveRows): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

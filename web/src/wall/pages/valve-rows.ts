import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { type ValveBox, valveBoxes } from "../../farm/valve-boxes.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import { alarmsByKey } from "./alarm-keys.ts";

/** A box with the channels that stand below its name; `id` is unlike that of another row. */
export interface ValveRow {
  readonly id: string;
  readonly name: string;
  readonly channels: readonly string[];
}

/** What of the valves has room at once, and how many boxes wait for another lap. */
export interface ValveRows {
  readonly rows: readonly ValveRow[];
  readonly waiting: number;
}

/** What has room, in one unit of length: of the page, of a box's name with the gaps around it, of a line of channels. */
export interface ValveRoom {
  /** Channels side by side. */
  readonly columns: number;
  readonly height: number;
  readonly head: number;
  readonly line: number;
}

const CALM = 9;

function urgency({ id, form, channels }: ValveBox, alarms: ReadonlyMap<string, AlarmPriority>): number {
  const own = alarms.get(`${form}:${id}`) ?? CALM;
  const ofChannels = channels.map((channel) => alarms.get(`channel:${channel.id}`) ?? CALM);
  return Math.min(own, ...ofChannels);
}

/** A box with more channels than the page has room for, in parts that have room. */
function partsOfBox(box: ValveBox, { columns, height, head, line }: ValveRoom): ValveBox[] {
  const most = columns * Math.max(1, Math.floor((height - head) / line));
  const parts: ValveBox[] = [];
  for (let start = 0; start < box.channels.length; start += most)
    parts.push({ ...box, channels: box.channels.slice(start, start + most) });
  return parts;
}

/**
 * The boxes with their channels, those with something wrong first and always; the others go on from lap to lap.
 */
export function valveRows(farm: LiveFarm, room: ValveRoom, lap: number): ValveRows {
  const alarms = alarmsByKey(farm.alarms.values());
  const boxes = valveBoxes(farm).flatMap((box) => partsOfBox(box, room));
  const wrong = boxes
    .filter((box) => urgency(box, alarms) < CALM)
    .sort((a, b) => urgency(a, alarms) - urgency(b, alarms));
  const calm = boxes.filter((box) => urgency(box, alarms) === CALM);
  const heightOf = ({ channels }: ValveBox): number =>
    room.head + Math.ceil(channels.length / room.columns) * room.line;
  let free = room.height;
  const first: ValveBox[] = [];
  for (const box of wrong) {
    // The first is shown even on a page that has no room for anything.
    if (first.length > 0 && heightOf(box) > free) break;
    first.push(box);
    free -= heightOf(box);
  }
  const turns = first.length < wrong.length ? [] : turnsOf(calm, free, heightOf, first.length === 0);
  const rest = turns[lap % Math.max(1, turns.length)] ?? [];
  const shown = [...first, ...rest];
  return {
    rows: shown.map(({ id, name, channels }) => ({
      id: `${id} ${channels[0]?.id}`,
      name,
      channels: channels.map((channel) => channel.id),
    })),
    waiting: boxes.length - shown.length,
  };
}

/** A list in parts that have room each; `atLeastOne`: there is nothing else on the page. */
function turnsOf(
  boxes: readonly ValveBox[],
  height: number,
  heightOf: (box: ValveBox) => number,
  atLeastOne: boolean,
): ValveBox[][] {
  if (!atLeastOne && boxes.every((box) => heightOf(box) > height)) return [];
  const turns: ValveBox[][] = [];
  let used = 0;
  for (const box of boxes) {
    const current = turns.at(-1);
    if (current && used + heightOf(box) <= height) {
      current.push(box);
      used += heightOf(box);
    } else {
      turns.push([box]);
      used = heightOf(box);
    }
  }
  return turns;
}

export function sameRows(a: ValveRows, b: ValveRows): boolean {
  return a.waiting === b.waiting && JSON.stringify(a.rows) === JSON.stringify(b.rows);
}

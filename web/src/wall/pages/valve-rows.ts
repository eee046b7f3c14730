import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { type ValveBox, valveBoxes } from "../../farm/valve-boxes.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import type { Waiting } from "../waiting.ts";
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
  readonly waiting: Waiting;
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
const URGENT = 1;

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
 * The boxes with their channels: the most urgent first and always, then what else is wrong, then what is calm; what
 * has no room of a kind takes turns from lap to lap.
 */
export function valveRows(farm: LiveFarm, room: ValveRoom, lap: number): ValveRows {
  const alarms = alarmsByKey(farm.alarms.values());
  const boxes = valveBoxes(farm).flatMap((box) => partsOfBox(box, room));
  const isWrong = (box: ValveBox) => urgency(box, alarms) < CALM;
  const isUrgent = (box: ValveBox) => urgency(box, alarms) === URGENT;
  const wrong = boxes.filter(isWrong).sort((a, b) => urgency(a, alarms) - urgency(b, alarms));
  const kinds = [
    wrong.filter(isUrgent),
    wrong.filter((box) => !isUrgent(box)),
    boxes.filter((box) => !isWrong(box)),
  ];
  const heightOf = ({ channels }: ValveBox): number =>
    room.head + Math.ceil(channels.length / room.columns) * room.line;
  const heightOfAll = (some: readonly ValveBox[]): number =>
    some.reduce((sum, box) => sum + heightOf(box), 0);
  let free = room.height;
  const shown: ValveBox[] = [];
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
      count: boxes.length - shown.length,
      wrong: wrong.length - shown.filter(isWrong).length,
    },
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
  return JSON.stringify(a) === JSON.stringify(b);
}

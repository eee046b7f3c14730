import { deviceTypeOf, widgetFields } from "@mulkko/shared/catalogue/registry";
import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import { valveUnits } from "../../domain/valve/valve-units.ts";
import { byName } from "../../i18n/by-name.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import type { Waiting } from "../waiting.ts";
import { alarmsByKey } from "./alarm-keys.ts";

/** One tile: a sensor's measurement, or a valve. */
export type Tile =
  | { readonly kind: "reading"; readonly id: string; readonly deviceType: string; readonly field: string }
  | { readonly kind: "valve"; readonly id: string };

/** Tiles on the overview, and the number of the farm's tiles that wait for another lap. */
export interface OverviewTiles {
  readonly tiles: readonly Tile[];
  readonly waiting: Waiting;
}

/** Rank of a tile; lower is more urgent. From `open` on there is no problem. */
const RANK = { urgent: 1, silent: 4, late: 5, open: 6, calm: 7, further: 8 } as const;

/** Of the places without urgent tiles, one in four is for a valve. */
const VALVE_SHARE = 4;

interface Candidate {
  readonly tile: Tile;
  readonly rank: number;
}

function sensorRank({ quality }: SensorValue, alarm: AlarmPriority | undefined): number {
  if (alarm !== undefined) return alarm;
  if (quality === "offline" || quality === "unknown") return RANK.silent;
  return quality === "late" ? RANK.late : RANK.calm;
}

function valveRank(channel: ChannelValue, alarm: AlarmPriority | undefined): number {
  if (alarm !== undefined) return alarm;
  const { onoff, command } = channel;
  if (command?.state === "failed" || command?.state === "unconfirmed") return RANK.urgent;
  if (drawnQuality(channel) === "lost") return RANK.silent;
  return onoff === 1 || command?.state === "requested" || command?.state === "accepted"
    ? RANK.open
    : RANK.calm;
}

function sensorTiles(
  farm: LiveFarm,
  alarms: ReadonlyMap<string, AlarmPriority>,
  chosen: readonly string[] | null,
): Candidate[] {
  const listed = [...farm.sensors]
    .filter(([, { info }]) => info.deviceType !== "COT")
    .map(([id, value]) => ({ id, value, name: deviceName(value.info) }))
    .sort(byName)
    .sort((a, b) => Number(b.value.info.widget === true) - Number(a.value.info.widget === true));
  const isAlarmed = ({ id }: { id: string }) => alarms.has(`sensor:${id}`) && !chosen?.includes(id);
  const shown =
    chosen === null
      ? listed
      : [...chosen.flatMap((id) => listed.find((each) => each.id === id) ?? []), ...listed.filter(isAlarmed)];
  const first: Candidate[] = [];
  const further: Candidate[] = [];
  for (const { id, value } of shown) {
    const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
    if (type.primary === "") continue;
    const tile = { kind: "reading", id, deviceType: value.info.deviceType } as const;
    first.push({
      tile: { ...tile, field: type.primary },
      rank: sensorRank(value, alarms.get(`sensor:${id}`)),
    });
    if (chosen !== null) continue;
    for (const { name } of widgetFields(type)) {
      if (name !== type.primary && name !== "battery")
        further.push({ tile: { ...tile, field: name }, rank: RANK.further });
    }
  }
  return [...first, ...further];
}

function valveTiles(farm: LiveFarm, alarms: ReadonlyMap<string, AlarmPriority>): Candidate[] {
  return valveUnits(farm).flatMap((unit) =>
    unit.channels.map(({ id, value }) => ({
      tile: { kind: "valve", id } as const,
      rank: valveRank(value, alarms.get(`channel:${id}`) ?? alarms.get(`${unit.form}:${unit.id}`)),
    })),
  );
}

/** Return a part of a list that advances with each lap and wraps around. */
function window<T>(list: readonly T[], size: number, lap: number): T[] {
  if (list.length <= size) return [...list];
  const start = (lap * size) % list.length;
  return [...list, ...list].slice(start, start + size);
}

/**
 * Fill the overview, worst first: problem tiles have fixed places, calm ones rotate per lap. If the problem
 * tiles do not all fit, they rotate too, except the most urgent. Further measurements of a sensor use the
 * remaining space.
 *
 * @param capacity number of tiles that fit
 * @param chosen sensors in a chosen order, shown beside those with problems; null: all of them
 */
export function fillOverview(
  farm: LiveFarm,
  capacity: number,
  lap: number,
  chosen: readonly string[] | null,
): OverviewTiles {
  const alarms = alarmsByKey(farm.alarms.values());
  const sensors = sensorTiles(farm, alarms, chosen);
  const valves = valveTiles(farm, alarms);
  const all = [...sensors, ...valves];
  const isCalm = ({ rank }: Candidate) => rank >= RANK.calm;
  const wanting = all.filter((each) => !isCalm(each)).sort((a, b) => a.rank - b.rank);
  const urgent = window(
    wanting.filter(({ rank }) => rank === RANK.urgent),
    capacity,
    lap,
  );
  const pressing = window(
    wanting.filter(({ rank }) => rank > RANK.urgent),
    capacity - urgent.length,
    lap,
  );
  const room = capacity - urgent.length - pressing.length;
  const calmSensors = sensors.filter(({ rank }) => rank === RANK.calm);
  const further = sensors.filter(({ rank }) => rank === RANK.further);
  const calmValves = valves.filter(isCalm);
  const forValves = Math.min(
    calmValves.length,
    Math.max(Math.ceil(room / VALVE_SHARE), room - calmSensors.length - further.length),
  );
  const forSensors = room - forValves;
  const main = window(calmSensors, forSensors, lap);
  const rest = window(further, forSensors - main.length, lap);
  const tiles = [...urgent, ...pressing, ...main, ...rest, ...window(calmValves, forValves, lap)];
  const wanted = wanting.length + calmSensors.length + calmValves.length;
  const shown = tiles.filter(({ rank }) => rank !== RANK.further).length;
  const isWrong = ({ rank }: Candidate) => rank < RANK.open;
  return {
    tiles: tiles.map(({ tile }) => tile),
    waiting: { count: wanted - shown, wrong: all.filter(isWrong).length - tiles.filter(isWrong).length },
  };
}

/** Return the tile's unique key. */
export const tileKey = (tile: Tile): string =>
  tile.kind === "valve" ? `valve ${tile.id}` : `reading ${tile.id} ${tile.field}`;

export function sameTiles(a: OverviewTiles, b: OverviewTiles): boolean {
  return (
    a.waiting.count === b.waiting.count &&
    a.waiting.wrong === b.waiting.wrong &&
    a.tiles.length === b.tiles.length &&
    a.tiles.every((tile, index) => {
      const other = b.tiles[index];
      return other !== undefined && tileKey(tile) === tileKey(other);
    })
  );
}

/** Return the sensors with a sparkline on these tiles: those with their main measurement. */
export function sparklineSensors(tiles: readonly Tile[]): { id: string; deviceType: string }[] {
  return tiles.flatMap((tile) => (hasSparkline(tile) ? [{ id: tile.id, deviceType: tile.deviceType }] : []));
}

/** Return true for a sensor's main measurement, which has a sparkline. */
export function hasSparkline(tile: Tile): tile is Extract<Tile, { kind: "reading" }> {
  return tile.kind === "reading" && tile.field === deviceTypeOf(tile.deviceType).primary;
}

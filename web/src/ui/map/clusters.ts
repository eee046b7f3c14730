import type { StressLevel } from "@mulkko/shared/rules/stress";
import type { AlarmLevel, MapMarker } from "./marker.ts";
import { worldPoint } from "./mercator.ts";
import type { Place } from "./place.ts";

/** Markers that are drawn as one: a single one, or several that would hide one another. */
export interface MarkGroup extends Place {
  readonly id: string;
  readonly markers: readonly [MapMarker, ...MapMarker[]];
  /** The worst of them. */
  readonly alarm: AlarmLevel | null;
  /** The worst of them; null where one of them has no colour. */
  readonly stress: StressLevel | null;
  /** True where one of them is. */
  readonly fresh: boolean;
}

const STRESS_ORDER: readonly StressLevel[] = [
  "none",
  "safe",
  "noEffect",
  "mild",
  "severe",
  "verySevere",
  "danger",
];

/** The more urgent of two. */
function worseAlarm(a: AlarmLevel | null, b: AlarmLevel | null): AlarmLevel | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** The worse of two; a group with something grey in it is grey. */
function worseStress(a: StressLevel | null, b: StressLevel | null): StressLevel | null {
  if (a === null || b === null) return null;
  return STRESS_ORDER.indexOf(a) >= STRESS_ORDER.indexOf(b) ? a : b;
}

/** What a group shows of its markers: where its middle is, and the worst of them. */
export function groupOf(markers: readonly [MapMarker, ...MapMarker[]]): MarkGroup {
  const [first] = markers;
  if (markers.length === 1) {
    const { id, latitude, longitude, alarm, stress, fresh } = first;
    return { id, latitude, longitude, markers, alarm, stress, fresh };
  }
  let [latitude, longitude, fresh] = [0, 0, false];
  let alarm: AlarmLevel | null = null;
  let stress = first.stress;
  for (const marker of markers) {
    latitude += marker.latitude / markers.length;
    longitude += marker.longitude / markers.length;
    alarm = worseAlarm(alarm, marker.alarm);
    stress = worseStress(stress, marker.stress);
    fresh ||= marker.fresh;
  }
  return { id: `${first.id}+${markers.length - 1}`, latitude, longitude, markers, alarm, stress, fresh };
}

/**
 * Puts markers together that stand closer than `radius` CSS px at a zoom. A marker joins the nearest group that was
 * begun before it, so that the same markers in the same order give the same groups. The marker `apart` stays alone.
 */
export function clusterMarkers(
  markers: readonly MapMarker[],
  zoom: number,
  radius: number,
  apart: string | null,
): MarkGroup[] {
  interface Seed {
    readonly x: number;
    readonly y: number;
    readonly members: [MapMarker, ...MapMarker[]];
  }
  const cells = new Map<number, Seed[]>();
  const seeds: Seed[] = [];
  const cellsAcross = Math.ceil((512 * 2 ** zoom) / radius) + 3;
  for (const marker of markers) {
    const { x, y } = worldPoint(marker, zoom);
    const [column, row] = [Math.floor(x / radius) + 1, Math.floor(y / radius) + 1];
    let nearest: Seed | null = null;
    let distance = radius;
    if (marker.id !== apart) {
      for (let dy = -1; dy <= 1; dy += 1) {
        for (let dx = -1; dx <= 1; dx += 1) {
          for (const seed of cells.get((row + dy) * cellsAcross + column + dx) ?? []) {
            const away = Math.hypot(seed.x - x, seed.y - y);
            if (away < distance) [nearest, distance] = [seed, away];
          }
        }
      }
    }
    if (nearest) {
      nearest.members.push(marker);
      continue;
    }
    const seed: Seed = { x, y, members: [marker] };
    seeds.push(seed);
    if (marker.id === apart) continue;
    const cell = row * cellsAcross + column;
    const inCell = cells.get(cell);
    if (inCell) inCell.push(seed);
    else cells.set(cell, [seed]);
  }
  return seeds.map(({ members }) => groupOf(members));
}

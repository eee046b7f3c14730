import type { StressLevel } from "@mulkko/shared/rules/stress";
import type { AlarmLevel, MapMarker } from "./marker.ts";
import { worldPoint } from "./mercator.ts";
import type { Place } from "./place.ts";

/** Markers drawn as one: a single one, or several that would cover each other. */
export interface MarkGroup extends Place {
  readonly id: string;
  readonly markers: readonly [MapMarker, ...MapMarker[]];
  /** Worst alarm of the markers. */
  readonly alarm: AlarmLevel | null;
  /** Worst stress of the markers; null if one has no colour. */
  readonly stress: StressLevel | null;
  /** True if one of the markers is fresh. */
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

/** Return the more urgent of two alarms. */
function worseAlarm(a: AlarmLevel | null, b: AlarmLevel | null): AlarmLevel | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Return the worse of two stress levels; a group with a grey marker is grey. */
function worseStress(a: StressLevel | null, b: StressLevel | null): StressLevel | null {
  if (a === null || b === null) return null;
  return STRESS_ORDER.indexOf(a) >= STRESS_ORDER.indexOf(b) ? a : b;
}

/** Summarize a group of markers: its middle and worst states. */
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
 * Group markers closer than `radius` CSS px at a zoom. A marker joins the nearest group begun before it, so
 * that equal input gives equal groups. The marker `apart` stays alone.
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

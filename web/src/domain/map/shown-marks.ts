import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { StressLevel } from "@mulkko/shared/rules/stress";
import { type Bounds, isInside, worldPoint } from "./geometry.ts";
import { type MapMarker, STRESS_LEVELS } from "./marker.tsx";
import type { Place } from "./place.ts";

/** Places closer than this share one callout, CSS px: separate ones would cover each other. */
const TOGETHER_PX = 150;

/** Group the callouts of close places, in their order. */
export function calloutPlaces<Callout extends Place & { readonly id: string }>(
  callouts: readonly Callout[],
  zoom: number,
): [Callout, ...Callout[]][] {
  const places: { readonly x: number; readonly y: number; readonly all: [Callout, ...Callout[]] }[] = [];
  for (const callout of callouts) {
    const { x, y } = worldPoint(callout, zoom);
    const near = places.find((place) => Math.hypot(place.x - x, place.y - y) < TOGETHER_PX);
    if (near) near.all.push(callout);
    else places.push({ x, y, all: [callout] });
  }
  return places.map(({ all }) => all);
}

/** Markers drawn as one: a single one, or several that would cover each other. */
interface MarkGroup extends Place {
  readonly id: string;
  readonly markers: readonly [MapMarker, ...MapMarker[]];
  /** Worst alarm of the markers. */
  readonly alarm: AlarmPriority | null;
  /** Worst stress of the markers; null if one has no colour. */
  readonly stress: StressLevel | null;
  /** True if one of the markers is fresh. */
  readonly fresh: boolean;
}

/** Return the more urgent of two alarms. */
function worseAlarm(a: AlarmPriority | null, b: AlarmPriority | null): AlarmPriority | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** Return the worse of two stress levels; a group with a grey marker is grey. */
function worseStress(a: StressLevel | null, b: StressLevel | null): StressLevel | null {
  if (a === null || b === null) return null;
  return STRESS_LEVELS.indexOf(a) >= STRESS_LEVELS.indexOf(b) ? a : b;
}

/** Summarize a group of markers: its middle and worst states. */
export function groupOf(markers: readonly [MapMarker, ...MapMarker[]]): MarkGroup {
  const [first] = markers;
  const id = markers.length === 1 ? first.id : `${first.id}+${markers.length - 1}`;
  let [latitude, longitude, fresh] = [0, 0, false];
  let alarm: AlarmPriority | null = null;
  let stress = first.stress;
  for (const marker of markers) {
    latitude += marker.latitude / markers.length;
    longitude += marker.longitude / markers.length;
    alarm = worseAlarm(alarm, marker.alarm);
    stress = worseStress(stress, marker.stress);
    fresh ||= marker.fresh;
  }
  return { id, latitude, longitude, markers, alarm, stress, fresh };
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

/** Maximum number of individual markers in view (spec: 2,000). */
export const CLUSTER_ABOVE = 2_000;

/** Cluster radius, CSS px: for overlapping markers, and for too many markers. */
const HIDDEN_PX = 24;
const CROWD_PX = 58;

/** Minimum zoom without clusters: overlapping markers are fanned out around their middle. */
export const FAN_FROM_ZOOM = 17;
const FAN_PX = 24;

/** Zoom levels between two groupings; the map regroups when it passes one. */
const ZOOM_STEP = 0.5;

/** One marker as drawn. */
export interface ShownMark {
  readonly group: MarkGroup;
  /** Offset from its place, CSS px. */
  readonly offset: readonly [number, number];
  /** Diameter, CSS px. */
  readonly size: number;
}

const NO_OFFSET = [0, 0] as const;
const SIZE = { mark: 18, stress: 28, picked: 40 } as const;
/** Return a cluster's diameter: grows with its count, up to the specification's largest marker. */
const clusterSize = (count: number): number => Math.min(40, 24 + 4 * Math.log10(count) * 2);

/** Return the grouping step of a zoom; the grouping holds until the next step. */
export const zoomStep = (zoom: number): number => Math.floor(zoom / ZOOM_STEP) * ZOOM_STEP;

/** Extend the view by half its size on each side, so that dragging shows existing markers. */
function widened([west, south, east, north]: Bounds): Bounds {
  const [dx, dy] = [(east - west) / 2, (north - south) / 2];
  return [west - dx, south - dy, east + dx, north + dy];
}

/** Return the drawn size of a group. */
function sizeOf(group: MarkGroup, picked: string | null): number {
  const [first] = group.markers;
  if (group.markers.length > 1) return clusterSize(group.markers.length);
  if (first.id === picked) return SIZE.picked;
  return first.stress === null ? SIZE.mark : SIZE.stress;
}

/** Fan out a group's markers around its middle, so that each is visible and pressable. */
function fanned({ markers }: MarkGroup, picked: string | null): ShownMark[] {
  const radius = Math.max(FAN_PX, (markers.length * SIZE.stress) / (2 * Math.PI));
  return markers.map((marker, index) => {
    const angle = (index / markers.length) * 2 * Math.PI - Math.PI / 2;
    const group = groupOf([marker]);
    const offset = [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))] as const;
    return { group, offset, size: sizeOf(group, picked) };
  });
}

/**
 * Return the markers of a view. Up to 2,000 are drawn individually unless they overlap; more are clustered.
 * At close zoom there are no clusters. Urgent markers are drawn last, above the others.
 */
export function shownMarks(
  markers: readonly MapMarker[],
  view: Bounds,
  zoom: number,
  picked: string | null,
): ShownMark[] {
  const inView = markers.reduce((count, marker) => (isInside(marker, view) ? count + 1 : count), 0);
  const near = widened(view);
  const radius = inView > CLUSTER_ABOVE ? CROWD_PX : HIDDEN_PX;
  const groups = clusterMarkers(markers, zoomStep(zoom), radius, picked);
  const fan = zoom >= FAN_FROM_ZOOM;
  const shown: ShownMark[] = [];
  for (const group of groups) {
    if (!isInside(group, near)) continue;
    if (fan && group.markers.length > 1) shown.push(...fanned(group, picked));
    else shown.push({ group, offset: NO_OFFSET, size: sizeOf(group, picked) });
  }
  const rank = ({ group }: ShownMark): number =>
    (group.id === picked ? 10 : 0) + (group.alarm === null ? 0 : 4 - group.alarm);
  return shown.sort((a, b) => rank(a) - rank(b));
}

/** Return the marker nearest to a point; null if there is none. Fingers are wider than markers. */
export function markAt(
  marks: readonly ShownMark[],
  point: { readonly x: number; readonly y: number },
  origin: { readonly x: number; readonly y: number },
  zoom: number,
  reach: number,
): ShownMark | null {
  let found: ShownMark | null = null;
  let nearest = Number.POSITIVE_INFINITY;
  for (const mark of marks) {
    const { x, y } = worldPoint(mark.group, zoom);
    const away = Math.hypot(x - origin.x + mark.offset[0] - point.x, y - origin.y + mark.offset[1] - point.y);
    if (away > Math.max(mark.size / 2, reach) || away >= nearest) continue;
    [found, nearest] = [mark, away];
  }
  return found;
}

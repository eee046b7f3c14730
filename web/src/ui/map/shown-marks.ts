import type { StressLevel } from "@mulkko/shared/rules/stress";
import { clusterMarkers, type MarkGroup } from "./clusters.ts";
import type { MapMarker } from "./marker.ts";
import { worldPoint } from "./mercator.ts";

/** More markers than this in view are put together by larger pieces of the map (spec: 2,000). */
export const CLUSTER_ABOVE = 2_000;

/** Radius of what is put together, CSS px: what hides one another, and where there are too many. */
const HIDDEN_PX = 24;
const CROWD_PX = 58;

/** From this zoom on nothing is put together: what hides one another is fanned out around its middle. */
export const FAN_FROM_ZOOM = 17;
const FAN_PX = 24;

/** Zooms between two groupings; the map is regrouped when it passes one. */
const ZOOM_STEP = 0.5;

/** One mark as it is drawn. */
export interface ShownMark {
  readonly group: MarkGroup;
  /** CSS px from its place. */
  readonly offset: readonly [number, number];
  /** Diameter, CSS px. */
  readonly size: number;
}

/** What of the earth a map shows, degrees. */
export interface ViewBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const NO_OFFSET = [0, 0] as const;
const SIZE = { mark: 18, stress: 28, picked: 40 } as const;
/** Diameter of a cluster: grows with its count, up to the largest mark of the specification. */
const clusterSize = (count: number): number => Math.min(40, 24 + 4 * Math.log10(count) * 2);

/** A zoom's own grouping, which holds until the map passes the next step. */
export const zoomStep = (zoom: number): number => Math.floor(zoom / ZOOM_STEP) * ZOOM_STEP;

export const isInside = (
  { latitude, longitude }: { latitude: number; longitude: number },
  { west, south, east, north }: ViewBounds,
): boolean => latitude >= south && latitude <= north && longitude >= west && longitude <= east;

/** The same view with half of it more on each side, so that what is dragged in is there already. */
export function widened({ west, south, east, north }: ViewBounds): ViewBounds {
  const [dx, dy] = [(east - west) / 2, (north - south) / 2];
  return { west: west - dx, south: south - dy, east: east + dx, north: north + dy };
}

/** How large a group is drawn. */
export function sizeOf(group: MarkGroup, picked: string | null): number {
  const [first] = group.markers;
  if (group.markers.length > 1) return clusterSize(group.markers.length);
  if (first.id === picked) return SIZE.picked;
  return first.stress === null ? SIZE.mark : SIZE.stress;
}

/** Markers of a group around its middle, so that each of them can be seen and pressed. */
function fanned({ markers }: MarkGroup, picked: string | null): ShownMark[] {
  const radius = Math.max(FAN_PX, (markers.length * SIZE.stress) / (2 * Math.PI));
  return markers.map((marker, index) => {
    const angle = (index / markers.length) * 2 * Math.PI - Math.PI / 2;
    const { id, latitude, longitude, alarm, stress, fresh } = marker;
    const group: MarkGroup = { id, latitude, longitude, markers: [marker], alarm, stress, fresh };
    const offset = [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))] as const;
    return { group, offset, size: sizeOf(group, picked) };
  });
}

/**
 * The marks of a view. Up to 2,000 markers in view stand for themselves but where they hide one another; more are
 * put together; close enough to the ground nothing is. What is urgent is drawn last, over the others.
 */
export function shownMarks(
  markers: readonly MapMarker[],
  view: ViewBounds,
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

/** The mark under a point, nearest first; null where there is none. Fingers are wider than marks. */
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

/** Colour of the number inside a mark of a stress level: what is read on it. */
export function textOn(stress: StressLevel | null): "light" | "dark" {
  return stress === "severe" || stress === "verySevere" || stress === "danger" ? "light" : "dark";
}

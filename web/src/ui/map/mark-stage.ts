import type { MapLibreOverlay } from "@deck.gl/maplibre";
import type { Device, Texture } from "@luma.gl/core";
import type { Map as MapInstance } from "maplibre-gl";
import type { MarkColors } from "./map-colors.ts";
import { type DrawnName, markLayers } from "./mark-layers.ts";
import type { MapMarker, MapOutline } from "./marker.ts";
import { worldPoint } from "./mercator.ts";
import { namesWithRoom, type WantedName } from "./name-room.ts";
import { markAt, type ShownMark, shownMarks, type ViewBounds, zoomStep } from "./shown-marks.ts";
import { createSprite, type Sprite } from "./sprite.ts";

/** Names of devices stand from this zoom on; farther away those of farms alone. */
const NAMES_FROM_ZOOM = 12;
/** Least time between two drawings of changed values, ms: nobody reads faster, and each regroups everything. */
const REDRAW_MS = 200;
/** Share of the view that the map may move before what comes into it is looked for. */
const MOVED_SHARE = 0.25;
/** How far from a mark's middle it is found, CSS px. */
const REACH_PX = { mouse: 12, finger: 24 } as const;
const NAME_HEIGHT_PX = 20;
/** A farm's name stands over its ground, and over what may stand at its edge. */
const ABOVE_PX = -40;
const NAME_FONT = "600 12px";

/** What is pressed on the map: one device, or several that are drawn as one. */
export type Pressed =
  | { readonly kind: "marker"; readonly id: string }
  | { readonly kind: "cluster"; readonly markers: readonly MapMarker[] };

/** The marks over a map, drawn without React. Everything it holds is gone after `dispose`. */
export interface MarkStage {
  setMarkers(markers: readonly MapMarker[]): void;
  setOutlines(outlines: readonly MapOutline[]): void;
  /** Drawn 40 px large, and never within a cluster. */
  setPicked(id: string | null): void;
  setColors(colors: MarkColors): void;
  /** The graphics device of the overlay; without one nothing is drawn yet. */
  setDevice(device: Device): void;
  /** What is drawn at a point of the map's container, CSS px. */
  pressedAt(point: { x: number; y: number }, by: keyof typeof REACH_PX): Pressed | null;
  dispose(): void;
}

/**
 * @param scale how many times larger than for a reader at a desk everything is drawn. What hides what, and what has
 *   room, is then as on a map that is as many times smaller: it is reckoned in that map's px
 */
export function createMarkStage(
  map: MapInstance,
  overlay: MapLibreOverlay,
  initial: MarkColors,
  scale = 1,
): MarkStage {
  const zoomNow = (): number => map.getZoom() - Math.log2(scale);
  let colors = initial;
  let markers: readonly MapMarker[] = [];
  let outlines: readonly MapOutline[] = [];
  let picked: string | null = null;
  let marks: readonly ShownMark[] = [];
  let device: Device | null = null;
  let painted: { sprite: Sprite; atlas: Texture } | null = null;
  let drawnFor: { step: number; x: number; y: number } | null = null;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const ruler = document.createElement("canvas").getContext("2d");

  const view = (): ViewBounds => {
    const bounds = map.getBounds();
    return {
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    };
  };
  /** The earth's point at the left top of the container; the map neither turns nor tilts. */
  const origin = () => {
    const { lat, lng } = map.getCenter();
    const middle = worldPoint({ latitude: lat, longitude: lng }, zoomNow());
    const { clientWidth, clientHeight } = map.getContainer();
    const { top = 0, bottom = 0, left = 0, right = 0 } = map.getPadding();
    return {
      x: middle.x - (clientWidth + left - right) / 2 / scale,
      y: middle.y - (clientHeight + top - bottom) / 2 / scale,
    };
  };

  const names = (): DrawnName[] => {
    const zoom = zoomNow();
    const from = origin();
    if (ruler) ruler.font = `${NAME_FONT} ${colors.font}`;
    const want = (name: DrawnName): WantedName & { name: DrawnName } => {
      const { x, y } = worldPoint(name, zoom);
      return {
        name,
        x: x - from.x + name.offset[0],
        y: y - from.y + name.offset[1],
        width: (ruler?.measureText(name.text).width ?? 0) + 10,
        height: NAME_HEIGHT_PX,
      };
    };
    const wanted: DrawnName[] = outlines.map(({ name, ring }) => {
      const latitudes = ring.map(([, latitude]) => latitude);
      const longitudes = ring.map(([longitude]) => longitude);
      return {
        text: name,
        latitude: Math.max(...latitudes),
        longitude: (Math.min(...longitudes) + Math.max(...longitudes)) / 2,
        offset: [0, ABOVE_PX],
      };
    });
    for (const { group, offset, size } of [...marks].reverse()) {
      const [marker] = group.markers;
      const named = group.markers.length === 1 && (zoom >= NAMES_FROM_ZOOM || marker.id === picked);
      if (!named) continue;
      const { latitude, longitude, label } = marker;
      const below: readonly [number, number] = [offset[0], offset[1] + size / 2 + 13];
      wanted.push({ text: label, latitude, longitude, offset: below });
    }
    return namesWithRoom(wanted.map(want)).map(({ name }) => name);
  };

  const paint = (): { sprite: Sprite; atlas: Texture } | null => {
    if (painted || !device) return painted;
    const sprite = createSprite(colors, scale);
    const { width, height } = sprite.image;
    const atlas = device.createTexture({
      data: sprite.image,
      width,
      height,
      mipLevels: device.getMipLevelCount(width, height),
      sampler: { minFilter: "linear", magFilter: "linear", mipmapFilter: "linear" },
    });
    atlas.generateMipmapsWebGL();
    painted = { sprite, atlas };
    return painted;
  };

  const draw = () => {
    clearTimeout(timer);
    timer = undefined;
    const ready = paint();
    if (!ready) return;
    const zoom = zoomNow();
    const { lat, lng } = map.getCenter();
    drawnFor = { step: zoomStep(zoom), ...worldPoint({ latitude: lat, longitude: lng }, 0) };
    drawnAt = performance.now();
    marks = shownMarks(markers, view(), zoom, picked);
    overlay.setProps({
      layers: markLayers({ outlines, marks, names: names(), picked }, { colors, scale, ...ready }),
    });
  };

  /** At the next frame; several changes of one moment are one drawing. */
  const drawSoon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };
  /** For values, which change all the time. */
  const drawInTime = () => {
    if (timer !== undefined) return;
    timer = setTimeout(drawSoon, Math.max(0, drawnAt + REDRAW_MS - performance.now()));
  };
  const moved = () => {
    const zoom = zoomNow();
    const { lat, lng } = map.getCenter();
    const now = worldPoint({ latitude: lat, longitude: lng }, 0);
    const { clientWidth, clientHeight } = map.getContainer();
    const px = 2 ** zoom;
    const far =
      drawnFor === null ||
      drawnFor.step !== zoomStep(zoom) ||
      Math.abs(now.x - drawnFor.x) * px > (clientWidth / scale) * MOVED_SHARE ||
      Math.abs(now.y - drawnFor.y) * px > (clientHeight / scale) * MOVED_SHARE;
    if (far) drawSoon();
  };
  map.on("move", moved);
  map.on("moveend", drawSoon);
  map.on("resize", drawSoon);

  return {
    setMarkers(next) {
      const placed = markers.length !== next.length;
      markers = next;
      if (placed) drawSoon();
      else drawInTime();
    },
    setOutlines(next) {
      outlines = next;
      drawSoon();
    },
    setPicked(id) {
      picked = id;
      drawSoon();
    },
    setColors(next) {
      colors = next;
      painted?.atlas.destroy();
      painted = null;
      drawSoon();
    },
    setDevice(next) {
      device = next;
      painted = null;
      drawSoon();
    },
    pressedAt(point, by) {
      const drawn = { x: point.x / scale, y: point.y / scale };
      const mark = markAt(marks, drawn, origin(), zoomNow(), REACH_PX[by]);
      if (!mark) return null;
      const [first] = mark.group.markers;
      return mark.group.markers.length > 1
        ? { kind: "cluster", markers: mark.group.markers }
        : { kind: "marker", id: first.id };
    },
    dispose() {
      map.off("move", moved);
      map.off("moveend", drawSoon);
      map.off("resize", drawSoon);
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      painted?.atlas.destroy();
      painted = null;
    },
  };
}

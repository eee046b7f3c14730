import type { MapLibreOverlay } from "@deck.gl/maplibre";
import type { Device, Texture } from "@luma.gl/core";
import type { Map as MapInstance } from "maplibre-gl";
import { boundsOf, placesOf, worldPoint } from "./geometry.ts";
import { createSprite, type DrawnName, type MarkColors, markLayers, type Sprite } from "./mark-layers.ts";
import type { MapMarker, MapOutline } from "./marker.tsx";
import { markAt, type ShownMark, shownMarks, zoomStep } from "./shown-marks.ts";

/** A rectangle on the screen by its middle, CSS px. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const overlap = (a: Box, b: Box, gap = 0): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width + 2 * gap &&
  Math.abs(a.y - b.y) * 2 < a.height + b.height + 2 * gap;

const isWithin = ({ x, y, width, height }: Box, view: { width: number; height: number }): boolean =>
  x * 2 >= width && y * 2 >= height && (view.width - x) * 2 >= width && (view.height - y) * 2 >= height;

/**
 * Return the first place for a name that is in the view and covers no marker: over another farm's marker, a
 * name would be read as that farm's. Return undefined if every place covers one.
 */
export function freePlace<Place extends Box>(
  places: readonly Place[],
  marks: readonly Box[],
  view: { width: number; height: number },
): Place | undefined {
  const free = places.filter((place) => !marks.some((mark) => overlap(place, mark)));
  return free.find((place) => isWithin(place, view)) ?? free[0];
}

/** Free space between two names, px. */
const GAP = 3;

/** Maximum number of names at once: the search is quadratic, and more are not readable. */
const MOST = 150;

/** Return the names that fit: each one that does not overlap an earlier one, which has priority. */
export function namesWithRoom<Name extends Box>(wanted: readonly Name[]): Name[] {
  const placed: Name[] = [];
  for (const name of wanted) {
    if (placed.length === MOST) break;
    if (!placed.some((other) => overlap(name, other, GAP))) placed.push(name);
  }
  return placed;
}

/** Minimum zoom of device names; below it only farm names are drawn. */
const NAMES_FROM_ZOOM = 12;
/** Minimum time between two redraws for changed values, ms: each one regroups everything. */
const REDRAW_MS = 200;
/** Share of the view that the map may move before new markers are searched. */
const MOVED_SHARE = 0.25;
/** Hit radius around a marker's middle, CSS px. */
const REACH_PX = { mouse: 12, finger: 24 } as const;
const NAME_HEIGHT_PX = 20;
/** Distance of a farm's name from its ground, with room for the markers at its edge. */
const BESIDE_PX = { above: 40, aside: 24 } as const;
const NAME_FONT = "600 12px";

export type MarkerRenderer = ReturnType<typeof createMarkerRenderer>;

/**
 * Create an imperative renderer of markers over a map. `dispose` releases everything it holds.
 *
 * @param scale scale factor of everything drawn, relative to a desktop reader. Overlap and free space are
 * computed in px of a map smaller by that factor
 */
export function createMarkerRenderer(
  map: MapInstance,
  overlay: MapLibreOverlay,
  initial: MarkColors,
  scale: number,
) {
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

  /** Return the map point at the container's left top; the map neither turns nor tilts. */
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
    const want = (name: DrawnName): Box & { name: DrawnName } => {
      const { x, y } = worldPoint(name, zoom);
      return {
        name,
        x: x - from.x + name.offset[0],
        y: y - from.y + name.offset[1],
        width: (ruler?.measureText(name.text).width ?? 0) + 10,
        height: NAME_HEIGHT_PX,
      };
    };
    const { clientWidth, clientHeight } = map.getContainer();
    const seen = { width: clientWidth / scale, height: clientHeight / scale };
    const boxes = marks.map(({ group, offset, size }): Box => {
      const { x, y } = worldPoint(group, zoom);
      return { x: x - from.x + offset[0], y: y - from.y + offset[1], width: size, height: size };
    });
    const wanted: DrawnName[] = outlines.flatMap(({ name: text, ring }) => {
      const bounds = boundsOf(placesOf(ring));
      if (bounds === null) return [];
      const [west, south, east, north] = bounds;
      const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 };
      const { above, aside } = BESIDE_PX;
      const away = (ruler?.measureText(text).width ?? 0) / 2 + aside;
      const places: DrawnName[] = [
        { text, latitude: north, longitude: middle.longitude, offset: [0, -above] },
        { text, latitude: middle.latitude, longitude: east, offset: [away, 0] },
        { text, latitude: middle.latitude, longitude: west, offset: [-away, 0] },
        { text, latitude: south, longitude: middle.longitude, offset: [0, above] },
      ];
      const place = freePlace(places.map(want), boxes, seen);
      return place ? [place.name] : [];
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

  const paint = () => {
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
    const [[west, south], [east, north]] = map.getBounds().toArray();
    marks = shownMarks(markers, [west, south, east, north], zoom, picked);
    overlay.setProps({
      layers: markLayers({ outlines, marks, names: names(), picked, colors, scale, ...ready }),
    });
  };

  /** Redraw at the next frame; coalesces several changes. */
  const drawSoon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };
  /** Redraw for values, which change often. */
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
    setMarkers(next: readonly MapMarker[]) {
      const placed = markers.length !== next.length;
      markers = next;
      if (placed) drawSoon();
      else drawInTime();
    },
    setOutlines(next: readonly MapOutline[]) {
      outlines = next;
      drawSoon();
    },
    /** Set the selected marker: 40 px large, never within a cluster. */
    setPicked(id: string | null) {
      picked = id;
      drawSoon();
    },
    setColors(next: MarkColors) {
      colors = next;
      painted?.atlas.destroy();
      painted = null;
      drawSoon();
    },
    /** Set the overlay's graphics device; before that nothing is drawn. */
    setDevice(next: Device) {
      device = next;
      painted = null;
      drawSoon();
    },
    /** Return the markers drawn as one at a point of the map's container, CSS px. */
    pressedAt(point: { x: number; y: number }, by: keyof typeof REACH_PX): readonly MapMarker[] {
      const drawn = { x: point.x / scale, y: point.y / scale };
      return markAt(marks, drawn, origin(), zoomNow(), REACH_PX[by])?.group.markers ?? [];
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

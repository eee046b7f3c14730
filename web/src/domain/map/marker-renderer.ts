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

interface Painted {
  readonly sprite: Sprite;
  readonly atlas: Texture;
}

/**
 * An imperative renderer of markers over a map. `dispose` releases everything it holds.
 *
 * | what is drawn | becomes | when |
 * | --- | --- | --- |
 * | current | due with the next frame | a marker comes or goes, or outlines, colours, size or a part of the view change |
 * | current | due in time | the values of markers change; 200 ms after the last redraw at the earliest |
 * | due in time | due with the next frame | that time is over |
 * | due | current | its frame comes, and there is a graphics device |
 */
export class MarkerRenderer {
  readonly #map: MapInstance;
  readonly #overlay: MapLibreOverlay;
  readonly #scale: number;
  readonly #ruler = document.createElement("canvas").getContext("2d");
  readonly #onMove = (): void => this.#moved();
  readonly #onChange = (): void => this.#drawSoon();
  #colors: MarkColors;
  #markers: readonly MapMarker[] = [];
  #outlines: readonly MapOutline[] = [];
  #picked: string | null = null;
  #marks: readonly ShownMark[] = [];
  #device: Device | null = null;
  #painted: Painted | null = null;
  #drawnFor: { step: number; x: number; y: number } | null = null;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  /**
   * @param scale scale factor of everything drawn, relative to a desktop reader. Overlap and free space are
   * computed in px of a map smaller by that factor
   */
  constructor(map: MapInstance, overlay: MapLibreOverlay, initial: MarkColors, scale: number) {
    this.#map = map;
    this.#overlay = overlay;
    this.#colors = initial;
    this.#scale = scale;
    map.on("move", this.#onMove);
    map.on("moveend", this.#onChange);
    map.on("resize", this.#onChange);
  }

  setMarkers(next: readonly MapMarker[]): void {
    const placed = this.#markers.length !== next.length;
    this.#markers = next;
    if (placed) this.#drawSoon();
    else this.#drawInTime();
  }

  setOutlines(next: readonly MapOutline[]): void {
    this.#outlines = next;
    this.#drawSoon();
  }

  /** Set the selected marker: 40 px large, never within a cluster. */
  setPicked(id: string | null): void {
    this.#picked = id;
    this.#drawSoon();
  }

  setColors(next: MarkColors): void {
    this.#colors = next;
    this.#painted?.atlas.destroy();
    this.#painted = null;
    this.#drawSoon();
  }

  /** Set the overlay's graphics device; before that nothing is drawn. */
  setDevice(next: Device): void {
    this.#device = next;
    this.#painted = null;
    this.#drawSoon();
  }

  /** Return the markers drawn as one at a point of the map's container, CSS px. */
  pressedAt(point: { x: number; y: number }, by: keyof typeof REACH_PX): readonly MapMarker[] {
    const drawn = { x: point.x / this.#scale, y: point.y / this.#scale };
    return markAt(this.#marks, drawn, this.#origin(), this.#zoomNow(), REACH_PX[by])?.group.markers ?? [];
  }

  dispose(): void {
    this.#map.off("move", this.#onMove);
    this.#map.off("moveend", this.#onChange);
    this.#map.off("resize", this.#onChange);
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#painted?.atlas.destroy();
    this.#painted = null;
  }

  #zoomNow(): number {
    return this.#map.getZoom() - Math.log2(this.#scale);
  }

  /** Return the map point at the container's left top; the map neither turns nor tilts. */
  #origin(): { x: number; y: number } {
    const { lat, lng } = this.#map.getCenter();
    const middle = worldPoint({ latitude: lat, longitude: lng }, this.#zoomNow());
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const { top = 0, bottom = 0, left = 0, right = 0 } = this.#map.getPadding();
    return {
      x: middle.x - (clientWidth + left - right) / 2 / this.#scale,
      y: middle.y - (clientHeight + top - bottom) / 2 / this.#scale,
    };
  }

  #names(): DrawnName[] {
    const zoom = this.#zoomNow();
    const from = this.#origin();
    if (this.#ruler) this.#ruler.font = `${NAME_FONT} ${this.#colors.font}`;
    const want = (name: DrawnName): Box & { name: DrawnName } => {
      const { x, y } = worldPoint(name, zoom);
      return {
        name,
        x: x - from.x + name.offset[0],
        y: y - from.y + name.offset[1],
        width: (this.#ruler?.measureText(name.text).width ?? 0) + 10,
        height: NAME_HEIGHT_PX,
      };
    };
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const seen = { width: clientWidth / this.#scale, height: clientHeight / this.#scale };
    const boxes = this.#marks.map(({ group, offset, size }): Box => {
      const { x, y } = worldPoint(group, zoom);
      return { x: x - from.x + offset[0], y: y - from.y + offset[1], width: size, height: size };
    });
    const wanted: DrawnName[] = this.#outlines.flatMap(({ name: text, ring }) => {
      const bounds = boundsOf(placesOf(ring));
      if (bounds === null) return [];
      const [west, south, east, north] = bounds;
      const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 };
      const { above, aside } = BESIDE_PX;
      const away = (this.#ruler?.measureText(text).width ?? 0) / 2 + aside;
      const places: DrawnName[] = [
        { text, latitude: north, longitude: middle.longitude, offset: [0, -above] },
        { text, latitude: middle.latitude, longitude: east, offset: [away, 0] },
        { text, latitude: middle.latitude, longitude: west, offset: [-away, 0] },
        { text, latitude: south, longitude: middle.longitude, offset: [0, above] },
      ];
      const place = freePlace(places.map(want), boxes, seen);
      return place ? [place.name] : [];
    });
    for (const { group, offset, size } of [...this.#marks].reverse()) {
      const [marker] = group.markers;
      const named = group.markers.length === 1 && (zoom >= NAMES_FROM_ZOOM || marker.id === this.#picked);
      if (!named) continue;
      const { latitude, longitude, label } = marker;
      const below: readonly [number, number] = [offset[0], offset[1] + size / 2 + 13];
      wanted.push({ text: label, latitude, longitude, offset: below });
    }
    return namesWithRoom(wanted.map(want)).map(({ name }) => name);
  }

  #paint(): Painted | null {
    if (this.#painted || !this.#device) return this.#painted;
    const sprite = createSprite(this.#colors, this.#scale);
    const { width, height } = sprite.image;
    const atlas = this.#device.createTexture({
      data: sprite.image,
      width,
      height,
      mipLevels: this.#device.getMipLevelCount(width, height),
      sampler: { minFilter: "linear", magFilter: "linear", mipmapFilter: "linear" },
    });
    atlas.generateMipmapsWebGL();
    this.#painted = { sprite, atlas };
    return this.#painted;
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ready = this.#paint();
    if (!ready) return;
    const zoom = this.#zoomNow();
    const { lat, lng } = this.#map.getCenter();
    this.#drawnFor = { step: zoomStep(zoom), ...worldPoint({ latitude: lat, longitude: lng }, 0) };
    this.#drawnAt = performance.now();
    const [[west, south], [east, north]] = this.#map.getBounds().toArray();
    this.#marks = shownMarks(this.#markers, [west, south, east, north], zoom, this.#picked);
    this.#overlay.setProps({
      layers: markLayers({
        outlines: this.#outlines,
        marks: this.#marks,
        names: this.#names(),
        picked: this.#picked,
        colors: this.#colors,
        scale: this.#scale,
        ...ready,
      }),
    });
  }

  /** Redraw at the next frame; coalesces several changes. */
  #drawSoon(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Redraw for values, which change often. */
  #drawInTime(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(this.#onChange, Math.max(0, this.#drawnAt + REDRAW_MS - performance.now()));
  }

  #moved(): void {
    const zoom = this.#zoomNow();
    const { lat, lng } = this.#map.getCenter();
    const now = worldPoint({ latitude: lat, longitude: lng }, 0);
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const px = 2 ** zoom;
    const far =
      this.#drawnFor === null ||
      this.#drawnFor.step !== zoomStep(zoom) ||
      Math.abs(now.x - this.#drawnFor.x) * px > (clientWidth / this.#scale) * MOVED_SHARE ||
      Math.abs(now.y - this.#drawnFor.y) * px > (clientHeight / this.#scale) * MOVED_SHARE;
    if (far) this.#drawSoon();
  }
}

import type { Layer } from "@deck.gl/core";
import { IconLayer, PolygonLayer, TextLayer } from "@deck.gl/layers";
import type { Texture } from "@luma.gl/core";
import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { STRESS_COLOURS, type StressLevel } from "@mulkko/shared/rules/stress";
import { BOX, MARK_OUTLINES, type MapOutline, polygon, STRESS_LEVELS } from "./marker.tsx";
import type { Place } from "./place.ts";
import type { ShownMark } from "./shown-marks.ts";

/**
 * Side of one image in the sheet; markers are at most 40 CSS px large, twice that on high-density screens.
 */
const CELL = BOX;
const COLUMNS = 8;
const MIDDLE = CELL / 2;
/** Radius of a marker within its image. */
const RADIUS = 36;

/** Size of the image relative to the marker in it. */
const PICTURE_PER_MARK = CELL / (2 * RADIUS);

const freshness = (fresh: boolean): string => (fresh ? "fresh" : "stale");

const shapeIcon = (shape: string, fresh: boolean): string => `${shape}-${freshness(fresh)}`;
const stressIcon = (stress: StressLevel, fresh: boolean): string => `stress-${stress}-${freshness(fresh)}`;
const clusterIcon = (stress: StressLevel | null, fresh: boolean): string =>
  `cluster-${stress ?? "plain"}-${freshness(fresh)}`;
const alarmIcon = (priority: AlarmPriority): string => `alarm-${priority}`;
const PICKED_ICON = "picked";

function disc(radius: number, middle: readonly [number, number] = [MIDDLE, MIDDLE]): Path2D {
  const path = new Path2D();
  path.arc(middle[0], middle[1], radius, 0, 2 * Math.PI);
  return path;
}

type Pen = CanvasRenderingContext2D;

function stroke(pen: Pen, path: Path2D, width: number, color: string): void {
  pen.lineJoin = "round";
  pen.lineWidth = width;
  pen.strokeStyle = color;
  pen.stroke(path);
}

function fill(pen: Pen, path: Path2D, color: string): void {
  pen.fillStyle = color;
  pen.fill(path);
}

/** Draw a marker: solid for a current value, hollow and dashed otherwise. */
function drawMark(
  pen: Pen,
  path: Path2D,
  fresh: boolean,
  color: string,
  ring: string,
  { panel, subtle }: MarkColors,
): void {
  if (fresh) stroke(pen, path, 9, ring);
  fill(pen, path, fresh ? color : panel);
  if (fresh) return;
  pen.setLineDash([13, 8]);
  stroke(pen, path, 7, subtle);
}

/** Place of an alarm's ring in its image. */
const RING_MIDDLE: readonly [number, number] = [42, 54];

/** Draw a ring with the priority's badge at its corner: square 1, triangle 2, circle 3. */
function drawAlarm(pen: Pen, priority: AlarmPriority, { alarms, panel, ink, font }: MarkColors): void {
  const { solid, text } = alarms[priority];
  const [x, y] = [72, 24];
  const square = new Path2D();
  square.roundRect(x - 17, y - 17, 34, 34, 5);
  const badge = { 1: square, 2: new Path2D(polygon(3, 24, [x, y + 3])), 3: disc(18, [x, y]) }[priority];
  stroke(pen, disc(35, RING_MIDDLE), 7, solid);
  stroke(pen, badge, 6, panel);
  fill(pen, badge, solid);
  stroke(pen, badge, 2, ink);
  pen.fillStyle = text;
  pen.font = `700 26px ${font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(`${priority}`, x, y + (priority === 2 ? 5 : 1));
}

/** Return the drawing function of every image by name. */
function pictures(colors: MarkColors): Map<string, (pen: Pen) => void> {
  const all = new Map<string, (pen: Pen) => void>();
  const set = (name: string, fresh: boolean, path: () => Path2D, color: string, ring: string) =>
    all.set(name, (pen) => drawMark(pen, path(), fresh, color, ring, colors));
  const round = () => disc(RADIUS);
  const { subtle, panel, ink } = colors;
  for (const fresh of [true, false]) {
    for (const [shape, outline] of Object.entries(MARK_OUTLINES))
      set(shapeIcon(shape, fresh), fresh, () => new Path2D(outline), subtle, panel);
    for (const level of STRESS_LEVELS) {
      const color = STRESS_COLOURS[level];
      // Black on a dark background would look like a hole.
      set(stressIcon(level, fresh), fresh, round, color, level === "danger" ? "#FFFFFF" : panel);
      set(clusterIcon(level, fresh), fresh, round, panel, color);
    }
    set(clusterIcon(null, fresh), fresh, round, ink, panel);
  }
  for (const priority of [1, 2, 3] as const)
    all.set(alarmIcon(priority), (pen) => drawAlarm(pen, priority, colors));
  all.set(PICKED_ICON, (pen) => {
    stroke(pen, disc(RADIUS + 4), 6, panel);
    stroke(pen, disc(RADIUS + 8), 5, ink);
  });
  return all;
}

/** Maximum resolution factor for larger markers: the graphics card holds the sheet. */
const FINEST = 3;

/**
 * Draw the marker sheet for a colour mode, each shape once.
 *
 * @param scale scale factor of markers, relative to a desktop reader
 */
export function createSprite(colors: MarkColors, scale: number) {
  const fine = Math.min(FINEST, Math.max(1, Math.ceil(scale)));
  const all = [...pictures(colors)];
  const image = document.createElement("canvas");
  image.width = COLUMNS * CELL * fine;
  image.height = Math.ceil(all.length / COLUMNS) * CELL * fine;
  const pen = image.getContext("2d");
  if (!pen) throw new Error("this browser draws no canvas");
  pen.scale(fine, fine);
  const icons = Object.fromEntries(
    all.map(([name, draw], index) => {
      const [x, y] = [(index % COLUMNS) * CELL, Math.floor(index / COLUMNS) * CELL];
      pen.save();
      pen.translate(x, y);
      draw(pen);
      pen.restore();
      const [anchorX, anchorY] = name.startsWith("alarm-") ? RING_MIDDLE : [MIDDLE, MIDDLE];
      const side = { width: CELL * fine, height: CELL * fine };
      return [
        name,
        { ...side, x: x * fine, y: y * fine, anchorX: anchorX * fine, anchorY: anchorY * fine, mask: false },
      ];
    }),
  );
  return { image, icons };
}

/** All markers of one colour mode on one sheet, with their places in it, px, as an icon layer expects them. */
export type Sprite = ReturnType<typeof createSprite>;

/** A label with its coordinates. */
export interface DrawnName extends Place {
  readonly text: string;
  readonly offset: readonly [number, number];
}

/** Everything drawn over the map, with its sprite, colours and scale. */
interface MarkScene {
  readonly outlines: readonly MapOutline[];
  readonly marks: readonly ShownMark[];
  readonly names: readonly DrawnName[];
  readonly picked: string | null;
  readonly colors: MarkColors;
  readonly sprite: Sprite;
  readonly atlas: Texture;
  /** Scale factor of everything drawn, relative to a desktop reader. */
  readonly scale: number;
}

type Rgba = [number, number, number, number];

/** Convert `#rrggbb`, or its short form `#rgb`, to a layer colour; `alpha` 0 to 1. */
function rgba(hex: string, alpha = 1): Rgba {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
  const value = Number.parseInt(long.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255, Math.round(alpha * 255)];
}

const placeOf = ({ latitude, longitude }: Place): [number, number] => [longitude, latitude];

/** Size of an alarm's ring relative to its marker. */
const RING = 1.65;
/** Minimum size of a ring, CSS px: keeps the number in its badge readable. */
const RING_LEAST_PX = 46;
/** Size at which letters are rasterized, CSS px. Larger markers use a larger size, up to this factor. */
const LETTER_PX = 48;
const LETTER_MOST = 3;
const NUMBER_PX = 12;
const NAME_PX = 12;

const iconOf = ({ group }: ShownMark): string => {
  const [first] = group.markers;
  if (group.markers.length > 1) return clusterIcon(group.stress, group.fresh);
  return first.stress === null ? shapeIcon(first.shape, first.fresh) : stressIcon(first.stress, first.fresh);
};

const numberOf = ({ group }: ShownMark): string =>
  group.markers.length > 1 ? `${group.markers.length}` : (group.markers[0].text ?? "");

function numberColor({ group }: ShownMark, colors: MarkColors): Rgba {
  if (!group.fresh) return rgba(colors.muted);
  if (group.markers.length > 1) return rgba(group.stress === null ? colors.panel : colors.ink);
  const isDark = group.stress === "severe" || group.stress === "verySevere" || group.stress === "danger";
  return rgba(isDark ? "#FFFFFF" : "#14191C");
}

/**
 * Return the layers of a scene, lowest first. They are cheap to create: deck.gl reuses unchanged ones by id
 * and data.
 */
export function markLayers(scene: MarkScene): Layer[] {
  const { outlines, marks, names, picked, colors, sprite, atlas, scale } = scene;
  const shifted = ({ offset }: { readonly offset: readonly [number, number] }): [number, number] => [
    offset[0] * scale,
    offset[1] * scale,
  ];
  const placed = { getPosition: ({ group }: ShownMark) => placeOf(group), getPixelOffset: shifted };
  const icons = {
    ...placed,
    iconAtlas: atlas,
    iconMapping: { ...sprite.icons },
    sizeUnits: "pixels" as const,
  };
  const text = {
    fontFamily: colors.font,
    characterSet: "auto" as const,
    fontSettings: { fontSize: LETTER_PX * Math.min(LETTER_MOST, Math.max(1, scale)) },
  };
  const chosen = marks.filter(({ group }) => group.id === picked);
  const drawnMarks = (name: string, data: readonly ShownMark[]): Layer[] => [
    new IconLayer<ShownMark>({
      id: `${name}marks`,
      ...icons,
      data,
      getIcon: iconOf,
      getSize: ({ size }) => size * PICTURE_PER_MARK * scale,
    }),
    new IconLayer<ShownMark>({
      id: `${name}alarms`,
      ...icons,
      data: data.filter(({ group }) => group.alarm !== null),
      getIcon: ({ group }) => alarmIcon(group.alarm ?? 3),
      getSize: ({ size }) => Math.max(RING_LEAST_PX, size * RING) * scale,
    }),
    new TextLayer<ShownMark>({
      id: `${name}numbers`,
      ...placed,
      ...text,
      data: data.filter((mark) => numberOf(mark) !== ""),
      getText: numberOf,
      getColor: (mark) => numberColor(mark, colors),
      getSize: NUMBER_PX * scale,
      fontWeight: 700,
      updateTriggers: { getColor: colors.ink },
    }),
  ];
  return [
    new PolygonLayer<MapOutline>({
      id: "outlines",
      data: outlines,
      getPolygon: ({ ring }) => ring.map(([longitude, latitude]) => [longitude, latitude]),
      getFillColor: rgba(colors.ink, 0.06),
      getLineColor: rgba(colors.strong),
      lineWidthUnits: "pixels",
      getLineWidth: 1.5 * scale,
      updateTriggers: { getFillColor: colors.ink, getLineColor: colors.strong },
    }),
    ...drawnMarks(
      "",
      marks.filter(({ group }) => group.id !== picked),
    ),
    // The selected marker is above everything, including other numbers.
    new IconLayer<ShownMark>({
      id: "picked",
      ...icons,
      data: chosen,
      getIcon: () => PICKED_ICON,
      getSize: ({ size }) => size * PICTURE_PER_MARK * scale,
    }),
    ...drawnMarks("picked-", chosen),
    new TextLayer<DrawnName>({
      id: "names",
      ...text,
      data: names,
      getPosition: placeOf,
      getText: ({ text: said }) => said,
      getPixelOffset: shifted,
      getColor: rgba(colors.ink),
      getSize: NAME_PX * scale,
      fontWeight: 600,
      background: true,
      getBackgroundColor: rgba(colors.panel, 0.86),
      backgroundPadding: [5 * scale, 2 * scale],
      backgroundBorderRadius: 4 * scale,
      updateTriggers: { getColor: colors.ink, getBackgroundColor: colors.panel },
    }),
  ];
}

/** Colours of markers: the page's tokens, resolved for a canvas. */
export type MarkColors = ReturnType<typeof readMarkColors>;

/** Read the tokens as they are on an element now. Call again when the colour mode changes. */
export function readMarkColors(element: Element) {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--mk-colors-${name}`).trim();
  const alarm = (priority: AlarmPriority) => ({
    solid: read(`alarm-p${priority}-solid`),
    text: read(`alarm-p${priority}-contrast`),
  });
  return {
    ink: read("fg"),
    panel: read("bg-panel"),
    muted: read("fg-muted"),
    subtle: read("fg-subtle"),
    strong: read("border-strong"),
    /** Fill and text of an alarm's badge, by priority. */
    alarms: { 1: alarm(1), 2: alarm(2), 3: alarm(3) },
    font: style.fontFamily,
  };
}

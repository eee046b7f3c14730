import { STRESS_COLOURS, type StressLevel } from "@mulkko/shared/rules/stress";
import type { MarkColors } from "./map-colors.ts";
import { BOX, MARK_OUTLINES, polygon } from "./mark-outlines.ts";
import { MARK_SHAPES, type MarkShape } from "./marker.ts";

/**
 * Side of one image in the sheet; markers are at most 40 CSS px large, twice that on high-density screens.
 */
const CELL = BOX;
const COLUMNS = 8;
const MIDDLE = CELL / 2;
/** Radius of a marker within its image. */
const RADIUS = 36;

/** Position of an image in the sheet, px, as an icon layer expects it. */
export interface SpriteIcon {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly anchorX: number;
  readonly anchorY: number;
  readonly mask: false;
}

/** All markers of one colour mode on one sheet. */
export interface Sprite {
  readonly image: HTMLCanvasElement;
  readonly icons: Readonly<Record<string, SpriteIcon>>;
}

/** Size of the image relative to the marker in it. */
export const PICTURE_PER_MARK = CELL / (2 * RADIUS);

const STRESS_LEVELS = Object.keys(STRESS_COLOURS).filter(
  (level): level is StressLevel => level in STRESS_COLOURS,
);

const freshness = (fresh: boolean): string => (fresh ? "fresh" : "stale");

export const shapeIcon = (shape: MarkShape, fresh: boolean): string => `${shape}-${freshness(fresh)}`;
export const stressIcon = (stress: StressLevel, fresh: boolean): string =>
  `stress-${stress}-${freshness(fresh)}`;
export const clusterIcon = (stress: StressLevel | null, fresh: boolean): string =>
  `cluster-${stress ?? "plain"}-${freshness(fresh)}`;
export const alarmIcon = (priority: 1 | 2 | 3): string => `alarm-${priority}`;
export const PICKED_ICON = "picked";

function disc(radius: number, middle: readonly [number, number] = [MIDDLE, MIDDLE]): Path2D {
  const path = new Path2D();
  path.arc(middle[0], middle[1], radius, 0, 2 * Math.PI);
  return path;
}

/** Draw a marker: solid for a current value, hollow and dashed otherwise. */
function drawMark(
  pen: CanvasRenderingContext2D,
  path: Path2D,
  fresh: boolean,
  fill: string,
  ring: string,
  colors: MarkColors,
): void {
  pen.lineJoin = "round";
  if (fresh) {
    pen.lineWidth = 9;
    pen.strokeStyle = ring;
    pen.stroke(path);
    pen.fillStyle = fill;
    pen.fill(path);
    return;
  }
  pen.fillStyle = colors.panel;
  pen.fill(path);
  pen.lineWidth = 7;
  pen.setLineDash([13, 8]);
  pen.strokeStyle = colors.subtle;
  pen.stroke(path);
}

/** Draw a ring with the priority's badge at its corner: square 1, triangle 2, circle 3. */
function drawAlarm(pen: CanvasRenderingContext2D, priority: 1 | 2 | 3, colors: MarkColors): void {
  const { solid, text } = colors.alarms[priority];
  const middle: readonly [number, number] = [42, 54];
  const badge: readonly [number, number] = [72, 24];
  pen.lineWidth = 7;
  pen.strokeStyle = solid;
  pen.stroke(disc(35, middle));
  const paths = {
    1: () => {
      const path = new Path2D();
      path.roundRect(badge[0] - 17, badge[1] - 17, 34, 34, 5);
      return path;
    },
    2: () => new Path2D(polygon(3, 24, [badge[0], badge[1] + 3])),
    3: () => disc(18, badge),
  };
  const path = paths[priority]();
  pen.lineJoin = "round";
  pen.lineWidth = 6;
  pen.strokeStyle = colors.panel;
  pen.stroke(path);
  pen.fillStyle = solid;
  pen.fill(path);
  pen.lineWidth = 2;
  pen.strokeStyle = colors.ink;
  pen.stroke(path);
  pen.fillStyle = text;
  pen.font = `700 26px ${colors.font}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(`${priority}`, badge[0], badge[1] + (priority === 2 ? 5 : 1));
}

type Draw = (pen: CanvasRenderingContext2D) => void;

/** Return the drawing function of every image by name. */
function pictures(colors: MarkColors): Map<string, Draw> {
  const all = new Map<string, Draw>();
  for (const fresh of [true, false]) {
    for (const shape of MARK_SHAPES) {
      all.set(shapeIcon(shape, fresh), (pen) =>
        drawMark(pen, new Path2D(MARK_OUTLINES[shape]), fresh, colors.subtle, colors.panel, colors),
      );
    }
    for (const level of STRESS_LEVELS) {
      const color = STRESS_COLOURS[level];
      // Black on a dark background would look like a hole.
      const ring = level === "danger" ? "#FFFFFF" : colors.panel;
      all.set(stressIcon(level, fresh), (pen) => drawMark(pen, disc(RADIUS), fresh, color, ring, colors));
      all.set(clusterIcon(level, fresh), (pen) => {
        drawMark(pen, disc(RADIUS), fresh, colors.panel, color, colors);
      });
    }
    all.set(clusterIcon(null, fresh), (pen) =>
      drawMark(pen, disc(RADIUS), fresh, colors.ink, colors.panel, colors),
    );
  }
  for (const priority of [1, 2, 3] as const)
    all.set(alarmIcon(priority), (pen) => drawAlarm(pen, priority, colors));
  all.set(PICKED_ICON, (pen) => {
    pen.lineWidth = 6;
    pen.strokeStyle = colors.panel;
    pen.stroke(disc(RADIUS + 4));
    pen.lineWidth = 5;
    pen.strokeStyle = colors.ink;
    pen.stroke(disc(RADIUS + 8));
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
export function createSprite(colors: MarkColors, scale: number): Sprite {
  const fine = Math.min(FINEST, Math.max(1, Math.ceil(scale)));
  const all = [...pictures(colors)];
  const image = document.createElement("canvas");
  image.width = COLUMNS * CELL * fine;
  image.height = Math.ceil(all.length / COLUMNS) * CELL * fine;
  const pen = image.getContext("2d");
  if (!pen) throw new Error("this browser draws no canvas");
  pen.scale(fine, fine);
  const icons: Record<string, SpriteIcon> = {};
  for (const [index, [name, draw]] of all.entries()) {
    const [x, y] = [(index % COLUMNS) * CELL, Math.floor(index / COLUMNS) * CELL];
    pen.save();
    pen.translate(x, y);
    draw(pen);
    pen.restore();
    const [anchorX, anchorY] = name.startsWith("alarm-") ? [42, 54] : [MIDDLE, MIDDLE];
    const side = CELL * fine;
    icons[name] = {
      x: x * fine,
      y: y * fine,
      width: side,
      height: side,
      anchorX: anchorX * fine,
      anchorY: anchorY * fine,
      mask: false,
    };
  }
  return { image, icons };
}

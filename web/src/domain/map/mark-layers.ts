import type { Layer } from "@deck.gl/core";
import { IconLayer, PolygonLayer, TextLayer } from "@deck.gl/layers";
import type { Texture } from "@luma.gl/core";
import type { MarkColors } from "./map-colors.ts";
import type { MapOutline } from "./marker.ts";
import { type ShownMark, textOn } from "./shown-marks.ts";
import {
  alarmIcon,
  clusterIcon,
  PICKED_ICON,
  PICTURE_PER_MARK,
  type Sprite,
  shapeIcon,
  stressIcon,
} from "./sprite.ts";

/** A label with its coordinates. */
export interface DrawnName {
  readonly text: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly offset: readonly [number, number];
}

/** Everything drawn over the map. */
export interface MarkScene {
  readonly outlines: readonly MapOutline[];
  readonly marks: readonly ShownMark[];
  readonly names: readonly DrawnName[];
  readonly picked: string | null;
}

/** Sprite, colours and scale used for drawing. */
export interface MarkPaint {
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

const placeOf = ({ latitude, longitude }: { latitude: number; longitude: number }): [number, number] => [
  longitude,
  latitude,
];

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
  return rgba(textOn(group.stress) === "light" ? "#FFFFFF" : "#14191C");
}

/**
 * Return the layers of a scene, lowest first. They are cheap to create: deck.gl reuses unchanged ones by id
 * and data.
 */
export function markLayers({ outlines, marks, names, picked }: MarkScene, paint: MarkPaint): Layer[] {
  const { colors, sprite, atlas, scale } = paint;
  const shifted = ({ offset }: { readonly offset: readonly [number, number] }): [number, number] => [
    offset[0] * scale,
    offset[1] * scale,
  ];
  const icons = { iconAtlas: atlas, iconMapping: { ...sprite.icons }, sizeUnits: "pixels" as const };
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
      getPosition: ({ group }) => placeOf(group),
      getIcon: iconOf,
      getPixelOffset: shifted,
      getSize: ({ size }) => size * PICTURE_PER_MARK * scale,
    }),
    new IconLayer<ShownMark>({
      id: `${name}alarms`,
      ...icons,
      data: data.filter(({ group }) => group.alarm !== null),
      getPosition: ({ group }) => placeOf(group),
      getIcon: ({ group }) => alarmIcon(group.alarm ?? 3),
      getPixelOffset: shifted,
      getSize: ({ size }) => Math.max(RING_LEAST_PX, size * RING) * scale,
    }),
    new TextLayer<ShownMark>({
      id: `${name}numbers`,
      ...text,
      data: data.filter((mark) => numberOf(mark) !== ""),
      getPosition: ({ group }) => placeOf(group),
      getText: numberOf,
      getPixelOffset: shifted,
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
      getPosition: ({ group }) => placeOf(group),
      getIcon: () => PICKED_ICON,
      getPixelOffset: shifted,
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

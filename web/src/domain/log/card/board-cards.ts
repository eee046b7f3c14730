import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { fieldOf } from "@mulkko/shared/catalogue/registry";
import type { Labels } from "../../../i18n/labels.ts";
import { SERIES_COLORS, type SeriesColor, seriesLooks } from "../../chart/chart-model.ts";
import type { ShownSource } from "../sources/source.ts";
import { type LogSource, lineId, VALVE } from "../sources/source.ts";

/** Line of a card: a field of a source. */
export interface BoardLine {
  readonly id: string;
  readonly source: LogSource;
  /** Name of the device or valve. */
  readonly device: string;
  readonly type: DeviceType;
  readonly field: FieldSpec;
  readonly color: SeriesColor;
  /** Number of lines before it on the card with the same colour. */
  readonly turn: number;
}

/** Chart of the log board. */
export interface BoardCard {
  readonly key: string;
  /** True if titled with the device's name; otherwise with its measurement. */
  readonly ofDevice: boolean;
  /** True for the same measurement of several sources, on one axis. */
  readonly compares: boolean;
  /** Number of this card, from 1, if a measurement needs several; null for a single one. */
  readonly part: number | null;
  readonly lines: readonly BoardLine[];
  /** CSS px on a desktop. */
  readonly height: number;
}

/** Maximum number of lines in a comparison card: one for each distinct colour. */
export const COMPARED_LINES = SERIES_COLORS.length;

const lineOf = (
  { source, name, type }: ShownSource,
  field: string,
  color: SeriesColor,
  turn = 0,
): BoardLine => ({
  id: lineId(source, field),
  source,
  device: name,
  type,
  field: fieldOf(type, field),
  color,
  turn,
});

/** Return the fields in the order of the cards, without duplicates. */
const cardFields = (type: DeviceType): string[] => [...new Set(type.cards.flatMap((card) => card.fields))];

function cardsOfOne(shown: ShownSource): BoardCard[] {
  const { type } = shown;
  return type.cards.map(({ fields, title }) => ({
    key: `${shown.key} ${fields.join()}`,
    ofDevice: title === "device",
    compares: false,
    part: null,
    lines: seriesLooks(fields).map(({ field, color, turn }) => lineOf(shown, field, color, turn)),
    height: type.chartHeight,
  }));
}

/** Build the cards of one measurement of several sources; sources without it are left out. */
function cardsOfField(sources: readonly ShownSource[], field: string): BoardCard[] {
  const having = sources.filter(({ type }) => cardFields(type).includes(field));
  const parts = Math.ceil(having.length / COMPARED_LINES);
  const alone = having.length === 1 ? seriesLooks([field])[0]?.color : undefined;
  return Array.from({ length: parts }, (_, part) => {
    const own = having.slice(part * COMPARED_LINES, (part + 1) * COMPARED_LINES);
    return {
      key: `${field} ${own.map(({ key }) => key).join()}`,
      ofDevice: false,
      compares: true,
      part: parts > 1 ? part + 1 : null,
      lines: own.map((shown, index) => lineOf(shown, field, alone ?? SERIES_COLORS[index] ?? "slate")),
      height: Math.max(...own.map(({ type }) => type.chartHeight)),
    };
  });
}

/** Most units in one chart: it has two axes (AXIS-1). */
const UNITS_AT_MOST = 2;

/**
 * Return the layout of a card until the user changes it: all lines in one chart of the type's height. Valves
 * share no axis, and a third unit has none, so such a card has a chart for each line.
 */
export function firstLayout({ lines }: Pick<BoardCard, "lines">): "overlay" | "stacked" {
  const units = new Set(lines.map(({ field }) => field.unit));
  const hasValve = lines.some(({ field }) => field.name === VALVE);
  return hasValve || units.size > UNITS_AT_MOST ? "stacked" : "overlay";
}

/**
 * Build the cards: for one source those of its type, for several a card for each measurement with a line for
 * each source.
 */
export function cardsOf(sources: readonly ShownSource[]): BoardCard[] {
  const [only, second] = sources;
  if (only === undefined) return [];
  if (second === undefined) return cardsOfOne(only);
  return fieldsOf(sources).flatMap((field) => cardsOfField(sources, field));
}

/** Return all fields that the cards of these sources show, for one request. */
export function fieldsOf(sources: readonly ShownSource[]): string[] {
  return [...new Set(sources.flatMap(({ type }) => cardFields(type)))];
}

/** Events between the cards of a board: crosshair position and zoomed range. */
export type CardBus<T> = ReturnType<typeof createCardBus<T>>;

export function createCardBus<T>() {
  const listeners = new Map<string, (news: T | null) => void>();
  let last: T | null = null;
  return {
    /** Send an event to the other cards; null ends it. */
    tell(from: string, news: T | null) {
      if (news === null && last === null) return;
      last = news;
      for (const [card, listener] of listeners) if (card !== from) listener(news);
    },
    /** Subscribe a card to the events of the others. @returns a function that unsubscribes */
    listen(card: string, listener: (news: T | null) => void) {
      listeners.set(card, listener);
      return () => {
        if (listeners.get(card) === listener) listeners.delete(card);
      };
    },
  };
}

/** Return the label of a line on its card: its measurement, or its device or valve in a comparison. */
export function lineLabel(
  line: BoardLine,
  { compares, lines }: Pick<BoardCard, "compares" | "lines">,
  labels: Pick<Labels, "field" | "channel">,
): string {
  if (!compares) return labels.field(line.field.name);
  const { source, device } = line;
  if (source.kind === "sensor") return device;
  const channel = labels.channel(source.number);
  // Lines of the same name are distinguished by the numbers of their channels.
  return lines.every((other) => other.device === device) ? channel : `${device} ${channel}`;
}

/** Return the title of a card: its device, with the measurement if it has only one, or its measurement. */
export function cardTitle({ ofDevice, lines, part }: BoardCard, labels: Pick<Labels, "field">): string {
  const [first, second] = lines;
  if (!first) return "";
  const field = labels.field(first.field.name);
  if (ofDevice) return second ? first.device : `${first.device} · ${field}`;
  return part === null ? field : `${field} ${part}`;
}

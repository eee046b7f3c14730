import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { fieldOf } from "@mulkko/shared/catalogue/registry";
import { SERIES_COLORS, type SeriesColor, seriesColors } from "../../ui/chart/series-colors.ts";
import type { ShownSource } from "../sources/shown-source.ts";
import { type LogSource, lineId } from "../sources/source.ts";

/** One line of a card: a field of a source. */
export interface BoardLine {
  readonly id: string;
  readonly source: LogSource;
  /** The name of the device, or of the valve. */
  readonly device: string;
  readonly type: DeviceType;
  readonly field: FieldSpec;
  readonly color: SeriesColor;
}

/** One chart. */
export interface BoardCard {
  readonly key: string;
  /** Titled with the device's name; else with its measurement. */
  readonly ofDevice: boolean;
  /** The same measurement of several sources, on one axis. */
  readonly compares: boolean;
  /** Of a measurement that needs several cards: which one this is, from 1; null where one is enough. */
  readonly part: number | null;
  readonly lines: readonly BoardLine[];
  /** CSS px on a desktop. */
  readonly height: number;
}

/** Lines of a card that compares: as many as there are colours to tell them apart by. */
export const COMPARED_LINES = SERIES_COLORS.length;

const lineOf = ({ source, name, type }: ShownSource, field: string, color: SeriesColor): BoardLine => ({
  id: lineId(source, field),
  source,
  device: name,
  type,
  field: fieldOf(type, field),
  color,
});

/** Fields in the order of the cards, each once. */
const cardFields = (type: DeviceType): string[] => [...new Set(type.cards.flatMap((card) => card.fields))];

function cardsOfOne(shown: ShownSource): BoardCard[] {
  const { type } = shown;
  return type.cards.map((card) => {
    const colors = seriesColors(card.fields);
    return {
      key: `${shown.key} ${card.fields.join()}`,
      ofDevice: card.title === "device",
      compares: false,
      part: null,
      lines: card.fields.map((field, index) => lineOf(shown, field, colors[index] ?? "slate")),
      height: type.chartHeight,
    };
  });
}

/** What a card of several sources is about, a measurement; sources that lack it are not on it. */
function cardsOfField(sources: readonly ShownSource[], field: string): BoardCard[] {
  const having = sources.filter(({ type }) => cardFields(type).includes(field));
  const parts = Math.ceil(having.length / COMPARED_LINES);
  const alone = having.length === 1 ? seriesColors([field])[0] : undefined;
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

/** One source: the cards of its type. Several: a card for each measurement, with a line for each source. */
export function cardsOf(sources: readonly ShownSource[]): BoardCard[] {
  const [only, second] = sources;
  if (only === undefined) return [];
  if (second === undefined) return cardsOfOne(only);
  const fields = [...new Set(sources.flatMap(({ type }) => cardFields(type)))];
  return fields.flatMap((field) => cardsOfField(sources, field));
}

/** Everything that the cards of these sources draw, for one question. */
export function fieldsOf(sources: readonly ShownSource[]): string[] {
  return [...new Set(sources.flatMap(({ type }) => cardFields(type)))];
}

/** True where all lines are called alike, so that the numbers of their channels tell them apart. */
export function areCalledAlike(lines: readonly Pick<BoardLine, "device">[]): boolean {
  return new Set(lines.map(({ device }) => device)).size === 1;
}

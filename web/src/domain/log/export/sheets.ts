import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { measurementsOf } from "@mulkko/shared/entities/log-entry";
import type { Watering } from "@mulkko/shared/live/watering";
import { type ApiClock, seriesTimes } from "@mulkko/shared/rules/zoneless-time";
import type { RestClient } from "../../../api/client.ts";
import { fetchRawLog, fetchWateringLog } from "../../../api/logs.ts";
import type { LogSource } from "../sources/source.ts";
import type { Sheet, SheetColumn } from "./write-workbook.ts";

const DAY_MS = 86_400_000;

/** Length of a slice in one request for raw rows, ms: 43,000 rows of a device that reports every 10 s. */
export const SLICE_MS = 5 * DAY_MS;

/** Minimum length of a slice, ms; longer slices with too many rows are halved. */
const LEAST_SLICE_MS = 3_600_000;

/** Maximum number of rows that a browser can write into one file. */
export const ROWS_AT_MOST = 600_000;

/** Thrown when a range has more rows than a file can hold. */
export class TooManyRowsError extends Error {
  override readonly name = "TooManyRowsError";
}

/** Row with its measurement time, ms UTC. */
export interface TimedRow {
  readonly at: number;
  readonly row: Readonly<Record<string, unknown>>;
}

interface SlicesQuery {
  /** ms UTC; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Send one request. Its answer may include rows of the minutes around the slice. */
  read(from: number, to: number): Promise<{ rows: readonly TimedRow[]; truncated: boolean }>;
  /** Called after each answer with the length of the range read so far, ms. */
  onRead(ms: number): void;
}

/**
 * Read all raw rows of a range in consecutive requests, oldest first, without duplicates.
 *
 * @throws TooManyRowsError, or what `read` throws
 */
export async function readSlices({ from, to, read, onRead }: SlicesQuery): Promise<TimedRow[]> {
  const found: TimedRow[] = [];
  const take = async (start: number, end: number): Promise<void> => {
    const { rows, truncated } = await read(start, end);
    if (truncated && end - start > LEAST_SLICE_MS) {
      const middle = start + Math.floor((end - start) / 2);
      await take(start, middle);
      return take(middle, end);
    }
    for (const row of rows) if (row.at >= start && row.at < end) found.push(row);
    if (found.length > ROWS_AT_MOST) throw new TooManyRowsError(`over ${ROWS_AT_MOST} rows`);
    onRead(end - from);
  };
  for (let start = from; start < to; start += SLICE_MS) await take(start, Math.min(to, start + SLICE_MS));
  return found.sort((a, b) => a.at - b.at);
}

/** Columns of the sheet of waterings with their kinds. */
const WATERING_COLUMNS = [
  ["channel", "text"],
  ["cause", "text"],
  ["by", "text"],
  ["start", "time"],
  ["end", "time"],
  ["reason", "text"],
  ["before", "number"],
  ["after", "number"],
  ["litres", "number"],
  ["farm", "text"],
] as const;

/** Translations and time format of a workbook. */
export interface SheetTexts {
  /** Heading of a column that is no measurement. That of a time names the time zone. */
  head(
    column: "time" | "clockWrong" | (typeof WATERING_COLUMNS)[number][0],
    kind: SheetColumn["kind"],
  ): string;
  field(name: string): string;
  /** Format an instant (ms UTC) as `YYYY-MM-DD HH:mm:ss`. */
  wallTime(instant: number): string;
  /** Name of the sheet of waterings. */
  readonly waterings: string;
  cause(cause: Watering["cause"]): string;
  /** Describe the end of a watering and when that was confirmed. */
  ending(watering: Watering): string;
  /** Describe the start of the watering records. */
  keptSince(time: string): string;
}

/** Return since when the device's clock had been wrong at a row, ms UTC; null where it was right (ORD-2). */
function clockFaultOf({ clockWrongSince }: Readonly<Record<string, unknown>>): number | null {
  const since = typeof clockWrongSince === "string" ? Date.parse(clockWrongSince) : Number.NaN;
  return Number.isNaN(since) ? null : since;
}

/** Round after scaling: a factor of a thousandth leaves binary rounding errors. */
const scaled = (value: number, scale: number | undefined): number =>
  scale === undefined ? value : Number((value * scale).toPrecision(12));

/**
 * Build the sheet of one device from its raw rows: time, each field of its type in display units, and its
 * farm, null for none. Where its clock was wrong, a last column says since when: the time is that of the arrival.
 */
export function deviceSheet(
  name: string,
  farm: string | null,
  fields: readonly FieldSpec[],
  rows: readonly TimedRow[],
  { head, field, wallTime }: Pick<SheetTexts, "head" | "field" | "wallTime">,
): Sheet {
  const faults = rows.map(({ row }) => clockFaultOf(row));
  const isMarked = faults.some((since) => since !== null);
  return {
    name,
    columns: [
      { head: head("time", "time"), kind: "time" },
      ...fields.map(({ name, unit }) => ({
        head: unit === "" ? field(name) : `${field(name)} (${unit})`,
        kind: "number" as const,
      })),
      { head: head("farm", "text"), kind: "text" },
      ...(isMarked ? [{ head: head("clockWrong", "time"), kind: "time" as const }] : []),
    ],
    rows: rows.map(({ at, row }, index) => {
      const values = measurementsOf(row);
      const cells = fields.map(({ name, scale }) => {
        const value = values[name] ?? null;
        return value === null ? null : scaled(value, scale);
      });
      const since = faults[index] ?? null;
      return [wallTime(at), ...cells, farm, ...(isMarked ? [since === null ? null : wallTime(since)] : [])];
    }),
  };
}

/** Watering with the names of its channel and of the channel's farm, null for none. */
interface NamedWatering {
  readonly channel: string;
  readonly farm: string | null;
  readonly watering: Watering;
}

/** Build the sheet of all waterings, oldest first, with the start of the records. */
export function wateringSheet(
  waterings: readonly NamedWatering[],
  keptFrom: number,
  texts: Omit<SheetTexts, "field">,
): Sheet {
  const { wallTime } = texts;
  const sorted = waterings.toSorted((a, b) => Date.parse(a.watering.start) - Date.parse(b.watering.start));
  return {
    name: texts.waterings,
    columns: WATERING_COLUMNS.map(([name, kind]) => ({ head: texts.head(name, kind), kind })),
    rows: [
      ...sorted.map(({ channel, farm, watering }) => [
        channel,
        texts.cause(watering.cause),
        watering.by?.nickname,
        wallTime(Date.parse(watering.start)),
        watering.end === null ? null : wallTime(Date.parse(watering.end)),
        texts.ending(watering),
        watering.moistureBefore,
        watering.moistureAfter,
        watering.litres,
        farm,
      ]),
      [],
      [texts.keptSince(wallTime(keptFrom))],
    ],
  };
}

export interface WorkbookQuery {
  /** Devices with the names of their sheets. */
  readonly sources: readonly {
    readonly name: string;
    readonly farm: string | null;
    readonly source: LogSource;
    readonly fields: readonly FieldSpec[];
  }[];
  /** Channels whose waterings are included, with their names and farms. */
  readonly channels: readonly { readonly id: string; readonly name: string; readonly farm: string | null }[];
  /** ms UTC; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Clock of the API's times. */
  readonly apiClock: ApiClock;
  readonly texts: SheetTexts;
  /** Called with the share read so far, 0 to 1. */
  onProgress(share: number): void;
}

/**
 * Read all contents of a workbook in consecutive requests. The sheet of waterings is last and exists only if
 * the range has any.
 *
 * @throws TooManyRowsError, or what the calls throw
 */
export async function readWorkbookSheets(
  client: RestClient,
  query: WorkbookQuery,
  signal: AbortSignal,
): Promise<Sheet[]> {
  const { sources, channels, from, to, texts, onProgress } = query;
  const { zone, now } = query.apiClock;
  const sheets: Sheet[] = [];
  for (const [index, { name, farm, source, fields }] of sources.entries()) {
    const rows = await readSlices({
      from,
      to,
      read: async (start, end) => {
        const range = { from: start, to: end, zone };
        const { rows: raw, truncated } = await fetchRawLog(client, { ...source, ...range }, signal);
        const texts = raw.map(({ createdDate }) => createdDate);
        const times = seriesTimes(texts, zone, now());
        const rows = raw.flatMap((row, place) => {
          const at = times[place] ?? null;
          return at === null ? [] : [{ at, row }];
        });
        return { rows, truncated };
      },
      onRead: (ms) => onProgress((index + ms / (to - from)) / sources.length),
    });
    sheets.push(deviceSheet(name, farm, fields, rows, texts));
  }
  const found: NamedWatering[] = [];
  let kept = from;
  for (const { id, name, farm } of channels) {
    const { waterings, keptFrom } = await fetchWateringLog(client, { channel: id, from, to }, signal);
    kept = Math.max(kept, keptFrom);
    found.push(...waterings.map((watering) => ({ channel: name, farm, watering })));
  }
  // A sheet with only a heading would contain no information.
  if (found.length > 0) sheets.push(wateringSheet(found, kept, texts));
  return sheets;
}

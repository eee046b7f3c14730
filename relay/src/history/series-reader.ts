import { isFieldName } from "@mulkko/shared/catalogue/fields";
import type { HistoryField, HistorySeries } from "@mulkko/shared/rest/history";
import { LogBuckets, statisticsOf } from "@mulkko/shared/rest/log";
import { logRange } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import type { Clock } from "@mulkko/shared/rules/clock";
import { type ApiClock, isRepeated, seriesTimes } from "@mulkko/shared/rules/zoneless-time";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import type { ReceivedMessage } from "../account/mqtt.ts";
import { createRowTimes, createTimeAhead, type TimeAhead } from "../account/time-ahead.ts";
import type { Places } from "../runtime/places.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import type { UpstreamReader } from "../upstream/client.ts";
import { createSharedCalls } from "../upstream/shared-calls.ts";
import { apiClockOf, type UpstreamClock } from "../upstream/upstream-clock.ts";
import { gatherBuckets, isCircular } from "./buckets.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import type { HistoryQuestion } from "./question.ts";
import { createRawLogs, inPlace, type LogAsking } from "./raw-logs.ts";
import { gatherColumns, type RowColumns } from "./row-columns.ts";
import { type BucketGrid, joined, type LogSource, namedSeries, type Span, slicesOf } from "./slices.ts";

const Num = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const FieldBucket = Type.Object({ min: Num, max: Num, avg: Num, last: Num });
type Bucket = Static<typeof LogBuckets>["data"][number] & Readonly<Record<string, unknown>>;

interface BucketTimes {
  readonly apiClock: ApiClock;
  readonly isPossible: TimeAhead["isPossible"];
}

const lastSecondOf = ({ start, count, step }: BucketGrid): number => start + count * step - 1_000;

/**
 * Return the path of the buckets of one sensor (extension `log-buckets`). A range's end is inclusive to its
 * second.
 */
function logBucketsPath(id: string, { grid, fields }: HistoryQuestion, { zone }: ApiClock): string {
  const path = pathTo(logRange, { id, start: zone.toApi(grid.start), end: zone.toApi(lastSecondOf(grid)) });
  const query = new URLSearchParams({ buckets: String(grid.count) });
  if (fields) query.set("fields", [...fields].join(","));
  return `${path}?${query}`;
}

/**
 * Return the grid of an answer; null if its buckets are irregular, as over a clock change, or contain rows
 * from the future (ONL-6).
 */
function gridOf(
  buckets: readonly Bucket[],
  asked: BucketGrid,
  { apiClock, isPossible }: BucketTimes,
): BucketGrid | null {
  const texts = buckets.map(({ createdDate }) => createdDate);
  const times = seriesTimes(texts, apiClock.zone, apiClock.now());
  const isWritten = (at: number | null | undefined): boolean => typeof at === "number" && isPossible(at);
  if (buckets.some(({ count }, index) => count > 0 && !isWritten(times[index]))) return null;
  const [start, second] = times;
  if (start === null || start === undefined) return null;
  const step = second === undefined || second === null ? asked.step : second - start;
  const isRegular = step > 0 && times.every((time, index) => time === start + index * step);
  return isRegular ? { start, step, count: buckets.length } : null;
}

/**
 * Convert an answer of the API to one sensor's series.
 *
 * @returns null if the answer's buckets are irregular, or contain rows from the future
 */
function seriesOfBuckets(
  source: LogSource,
  answer: Static<typeof LogBuckets> & Readonly<Record<string, unknown>>,
  { grid: asked, fields: wanted }: HistoryQuestion,
  times: BucketTimes,
): HistorySeries | null {
  const buckets: readonly Bucket[] = answer.data;
  const grid = gridOf(buckets, asked, times);
  if (!grid) return null;
  const names = new Set(buckets.flatMap((bucket) => Object.keys(bucket).filter(isFieldName)));
  const fields: Record<string, HistoryField> = {};
  for (const name of names) {
    if (wanted && !wanted.has(name)) continue;
    const cells = buckets.map((bucket) => {
      const cell = parse(FieldBucket, bucket[name]);
      return cell.ok ? cell.value : {};
    });
    const circular = isCircular(name);
    const pick = (part: "min" | "max" | "avg" | "last") => cells.map((cell) => cell[part] ?? null);
    const none = cells.map(() => null);
    fields[name] = {
      min: circular ? none : pick("min"),
      max: circular ? none : pick("max"),
      avg: pick("avg"),
      last: pick("last"),
      statistics: statisticsOf(answer, name),
    };
  }
  const start = new Date(grid.start).toISOString();
  return { ...namedSeries(source), start, step: grid.step, count: buckets.map(({ count }) => count), fields };
}

/** Reads the history of one sensor or channel, for one account. */
export interface SeriesReader {
  /**
   * `byApi`: true if the API computed the buckets. `mayAsk` returns true while there is time for more
   * requests.
   *
   * @throws UpstreamError, NoPlaceError, or the reason of the signal
   */
  read(
    source: LogSource,
    question: HistoryQuestion,
    asking: LogAsking,
    mayAsk: () => boolean,
  ): Promise<{ readonly series: HistorySeries; readonly byApi: boolean }>;
  /** Invalidate cached data around a received reading (its time in ms UTC). */
  invalidate(accountId: string, sensorId: string, at: number): void;
  /** Invalidate cached data that lacks a reading from the API's broker. */
  received(message: ReceivedMessage): void;
}

export interface SeriesReaderDeps {
  readonly reader: UpstreamReader;
  readonly capabilities: CapabilitySource;
  readonly upstreamClock: Pick<UpstreamClock, "zone" | "offsetMs">;
  readonly clock: Clock;
  /** Requests for rows and buckets, of all accounts. */
  readonly places: Places;
}

export function createSeriesReader(deps: SeriesReaderDeps): SeriesReader {
  const { reader, capabilities, upstreamClock, clock, places } = deps;
  const { zone } = upstreamClock;
  const apiClock = apiClockOf(upstreamClock, clock);
  const timeAhead = createTimeAhead(clock.now, apiClock.now);
  const rowTimes = createRowTimes(apiClock, timeAhead);
  const rawLogs = createRawLogs({ reader, zone, rowTimes, clock, places });
  const calls = createSharedCalls<HistorySeries | null>();

  /** null if the API's buckets are irregular, or contain rows from the future. */
  const byApi = (
    source: LogSource,
    question: HistoryQuestion,
    { accountId, token, signal }: LogAsking,
  ): Promise<HistorySeries | null> => {
    const path = logBucketsPath(source.id, question, apiClock);
    const ask = async (aborted: AbortSignal): Promise<HistorySeries | null> => {
      const limits = { bytes: HISTORY_LIMITS.answerBytes };
      const answer = await inPlace(places, { accountId, signal: aborted }, () =>
        reader.get(path, LogBuckets, { token, limits, signal: aborted }),
      );
      return seriesOfBuckets(source, answer, question, { apiClock, isPossible: timeAhead.isPossible });
    };
    return calls.join(`${token} ${path}`, signal, ask).result;
  };

  return {
    async read(source, question, asking, mayAsk) {
      const { grid } = question;
      // A local time that a clock change repeats denotes only one of its occurrences as the end of a range.
      const isClear = !isRepeated(grid.start, zone) && !isRepeated(lastSecondOf(grid), zone);
      if (source.channel === undefined && isClear && capabilities.has("log-buckets")) {
        const series = await byApi(source, question, asking);
        if (series) return { series, byApi: true };
      }
      const slices = slicesOf(question.grid, clock.now());
      const read = (span: { from: number; to: number }) => rawLogs.slice(source, span, asking);
      return { series: await seriesOfRows(source, question, slices, read, mayAsk), byApi: false };
    },
    invalidate: rawLogs.invalidate,
    received: rawLogs.received,
  };
}

const instant = (ms: number): string => new Date(ms).toISOString();

/**
 * Compute one series from raw rows slice by slice, newest first and a few concurrently. Once `mayAsk`
 * returns false, the series is partial, and `missing` lists the unread ranges.
 */
async function seriesOfRows(
  source: LogSource,
  { grid, fields }: HistoryQuestion,
  slices: readonly Span[],
  read: (span: Span) => Promise<RowColumns>,
  mayAsk: () => boolean,
): Promise<HistorySeries> {
  const gatherer = gatherBuckets(grid, fields);
  const waiting = [...slices];
  const unread: Span[] = [];
  const readInTurn = async (): Promise<void> => {
    for (let span = waiting.shift(); span !== undefined; span = waiting.shift()) {
      if (mayAsk()) gatherColumns(await read(span), gatherer);
      else unread.push(span);
    }
  };
  await Promise.all(Array.from({ length: HISTORY_LIMITS.atOnce }, readInTurn));
  return {
    ...namedSeries(source),
    start: instant(grid.start),
    step: grid.step,
    count: gatherer.count,
    fields: gatherer.fields(),
    ...(unread.length > 0 && {
      missing: joined(unread).map(({ from, to }) => ({ from: instant(from), to: instant(to) })),
    }),
  };
}

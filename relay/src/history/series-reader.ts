import type { HistorySeries } from "@mulkko/shared/rest/history";
import { LogBuckets } from "@mulkko/shared/rest/log";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { ReceivedMessage } from "../account/mqtt.ts";
import { createRowTime, createTimeAhead } from "../account/time-ahead.ts";
import { createSemaphore } from "../runtime/semaphore.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import type { UpstreamReader } from "../upstream/client.ts";
import { createSharedCalls } from "../upstream/shared-calls.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import { gatherBuckets } from "./buckets.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import { logBucketsPath, seriesOfBuckets } from "./log-buckets.ts";
import type { HistoryQuestion } from "./question.ts";
import { createRawLogs, type LogAsking } from "./raw-logs.ts";
import { gatherColumns, type RowColumns } from "./row-columns.ts";
import { joined, type LogSource, namedSeries, type Span, slicesOf } from "./slices.ts";

/** Reads the history of one sensor or channel, for one account. */
export interface SeriesReader {
  /**
   * `byApi`: true if the API computed the buckets. `mayAsk` returns true while there is time for more
   * requests.
   *
   * @throws UpstreamError, SemaphoreFullError, or the reason of the signal
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
}

export function createSeriesReader(deps: SeriesReaderDeps): SeriesReader {
  const { reader, capabilities, upstreamClock, clock } = deps;
  const { zone } = upstreamClock;
  const semaphore = createSemaphore(HISTORY_LIMITS.inFlight, HISTORY_LIMITS.waiting);
  const rowTime = createRowTime(
    zone,
    createTimeAhead(clock.now, () => clock.now() + upstreamClock.offsetMs),
  );
  const rawLogs = createRawLogs({ reader, zone, rowTime, clock, semaphore });
  const calls = createSharedCalls<HistorySeries | null>();

  /** null if the API's buckets are irregular, or contain rows from the future. */
  const byApi = (
    source: LogSource,
    question: HistoryQuestion,
    { token, signal }: LogAsking,
  ): Promise<HistorySeries | null> => {
    const path = logBucketsPath(source.id, question, zone);
    const ask = async (aborted: AbortSignal): Promise<HistorySeries | null> => {
      const limits = { bytes: HISTORY_LIMITS.answerBytes };
      const answer = await semaphore.pass(() => {
        aborted.throwIfAborted();
        return reader.get(path, LogBuckets, { token, limits, signal: aborted });
      });
      return seriesOfBuckets(source, answer, question, { zone, rowTime });
    };
    return calls.join(`${token} ${path}`, signal, ask).result;
  };

  return {
    async read(source, question, asking, mayAsk) {
      if (source.channel === undefined && capabilities.has("log-buckets")) {
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

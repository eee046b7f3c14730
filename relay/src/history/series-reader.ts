import type { HistorySeries } from "@mulkko/shared/rest/history";
import { LogBuckets } from "@mulkko/shared/rest/log";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createSharedCalls } from "../core/shared-calls.ts";
import type { CapabilitySource, UpstreamReader } from "../ports/upstream.ts";
import { seriesOfRows } from "./computed-series.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import { logBucketsPath, seriesOfBuckets } from "./log-buckets.ts";
import type { LogSource } from "./log-source.ts";
import type { HistoryQuestion } from "./question.ts";
import { createRawLogs, type LogAsking } from "./raw-logs.ts";
import { slicesOf } from "./slices.ts";
import { createTurnstile } from "./turnstile.ts";

/** The past of one sensor or channel, for one account. */
export interface SeriesReader {
  /**
   * `byApi`: whether the API made the buckets. `mayAsk` says whether there is time left to ask for more rows.
   *
   * @throws UpstreamError, TurnstileFullError, or the reason of the signal
   */
  read(
    source: LogSource,
    question: HistoryQuestion,
    asking: LogAsking,
    mayAsk: () => boolean,
  ): Promise<{ readonly series: HistorySeries; readonly byApi: boolean }>;
  /** A reading was heard, of that moment (ms UTC): what is kept of that time is asked for anew. */
  heard(accountId: string, sensorId: string, at: number): void;
  /** True if something of the sensor's past may be kept. */
  keeps(accountId: string, sensorId: string): boolean;
}

export interface SeriesReaderParts {
  readonly reader: UpstreamReader;
  readonly capabilities: CapabilitySource;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
}

export function createSeriesReader(parts: SeriesReaderParts): SeriesReader {
  const { reader, capabilities, zone, clock } = parts;
  const turnstile = createTurnstile(HISTORY_LIMITS.inFlight, HISTORY_LIMITS.waiting);
  const rawLogs = createRawLogs({ reader, zone, clock, turnstile });
  const calls = createSharedCalls<HistorySeries | null>();

  /** null where the API's buckets are not regular. */
  const byApi = (
    source: LogSource,
    question: HistoryQuestion,
    { token, signal }: LogAsking,
  ): Promise<HistorySeries | null> => {
    const path = logBucketsPath(source.id, question, zone);
    const ask = async (aborted: AbortSignal): Promise<HistorySeries | null> => {
      const { answerBytes: limitBytes } = HISTORY_LIMITS;
      const answer = await turnstile.pass(() => {
        aborted.throwIfAborted();
        return reader.get(path, LogBuckets, { token, limitBytes, signal: aborted });
      });
      return seriesOfBuckets(source, answer, question, zone);
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
    heard: rawLogs.heard,
    keeps: rawLogs.keeps,
  };
}

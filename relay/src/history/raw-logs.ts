import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { Instant } from "@mulkko/shared/schema/instant";
import { LRUCache } from "lru-cache";
import { Type } from "typebox";
import { parsePayload, type ReceivedMessage } from "../account/mqtt.ts";
import type { RowTimes } from "../account/time-ahead.ts";
import type { Places } from "../runtime/places.ts";
import type { UpstreamReader } from "../upstream/client.ts";
import { UpstreamAnswerError, UpstreamStatusError } from "../upstream/errors.ts";
import { createSharedCalls } from "../upstream/shared-calls.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import { columnsOf, joinColumns, RawRange, type RowColumns } from "./row-columns.ts";
import { cacheMs, type LogSource, rawPath, type Span, slicesAround, sourceKey } from "./slices.ts";

/** The caller's token and signal. */
export interface LogAsking {
  readonly accountId: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Do work for an account in one of its places. @throws NoPlaceError, or the reason of the signal */
export async function inPlace<T>(
  places: Places,
  { accountId, signal }: Pick<LogAsking, "accountId" | "signal">,
  work: () => Promise<T>,
): Promise<T> {
  const release = await places.take({ name: accountId, address: null }, 1, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    release();
  }
}

/**
 * Raw rows of the farm API, slice by slice, cached per account: rows of one account are never given to
 * another.
 */
export interface RawLogs {
  /**
   * Return the rows of one slice. Concurrent callers of an account share the request; it is cancelled with
   * the last.
   *
   * @throws UpstreamError, NoPlaceError, or the reason of the signal
   */
  slice(source: LogSource, span: Span, asking: LogAsking): Promise<RowColumns>;
  /** Invalidate cached rows around a received reading (its time in ms UTC). */
  invalidate(accountId: string, sensorId: string, at: number): void;
  /**
   * Invalidate cached rows that lack a reading from the API's broker. Every node receives it, whichever owns
   * the account, so all nodes show the same history. Only locally cached data is checked.
   */
  received(message: ReceivedMessage): void;
  /** True if rows of the sensor may be cached, or are being requested. */
  mayCache(accountId: string, sensorId: string): boolean;
  readonly bytes: number;
}

export interface RawLogsDeps {
  readonly reader: UpstreamReader;
  readonly zone: ApiTimeZone;
  readonly rowTimes: RowTimes;
  readonly clock: Clock;
  readonly places: Places;
}

const Measured = Type.Object({ at: Instant });
/** Upper bound of remembered access grants of accounts to sensors. */
const REMEMBERED_AT_MOST = 50_000;

const accessOf = (accountId: string, source: string): string => JSON.stringify([accountId, source]);
const keyOf = (accountId: string, source: string, { from, to }: Span): string =>
  JSON.stringify([accountId, source, from, to]);
const isTooLarge = (error: unknown): boolean =>
  error instanceof UpstreamAnswerError && error.cause instanceof RangeError;
const isRejected = (error: unknown): boolean => error instanceof UpstreamStatusError && error.status === 401;

export function createRawLogs({ reader, zone, rowTimes, clock, places }: RawLogsDeps): RawLogs {
  const cache = new LRUCache<string, RowColumns>({
    maxSize: HISTORY_LIMITS.cacheBytes,
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() },
  });
  const calls = createSharedCalls<RowColumns>();
  /** When the API last showed a source to an account, monotonic ms; absent before the first answer. */
  const shown = new LRUCache<string, number>({ max: REMEMBERED_AT_MOST });
  /** Requests in flight, and true for those that a received reading has invalidated. */
  const spoilt = new Map<string, boolean>();

  const mayStillSee = (access: string): boolean => {
    const at = shown.get(access);
    return at !== undefined && clock.monotonic() - at < HISTORY_LIMITS.accessMs;
  };
  /** Send one request; an answer that is too large is requested in halves. */
  const read = async (source: LogSource, span: Span, asking: LogAsking): Promise<RowColumns> => {
    const { token, signal } = asking;
    try {
      const answer = await inPlace(places, asking, () => {
        const limits = { bytes: HISTORY_LIMITS.answerBytes };
        return reader.get(rawPath(source, span, zone), RawRange, { token, limits, signal });
      });
      return await columnsOf(answer, span, rowTimes);
    } catch (error) {
      const length = span.to - span.from;
      if (!isTooLarge(error) || length <= HISTORY_LIMITS.leastSliceMs) throw error;
      const middle = span.from + Math.floor(length / 2);
      const early = await read(source, { from: span.from, to: middle }, asking);
      return joinColumns([early, await read(source, { from: middle, to: span.to }, asking)]);
    }
  };

  const invalidate: RawLogs["invalidate"] = (accountId, sensorId, at) => {
    const named = sourceKey({ id: sensorId });
    for (const span of slicesAround(at)) {
      const key = keyOf(accountId, named, span);
      cache.delete(key);
      if (spoilt.has(key)) spoilt.set(key, true);
    }
  };
  const mayCache: RawLogs["mayCache"] = (accountId, sensorId) =>
    shown.has(accessOf(accountId, sourceKey({ id: sensorId })));

  return {
    async slice(source, span, asking) {
      const { accountId, token, signal } = asking;
      const named = sourceKey(source);
      const access = accessOf(accountId, named);
      const key = keyOf(accountId, named, span);
      if (!shown.has(access)) shown.set(access, Number.NEGATIVE_INFINITY);
      const cached = mayStillSee(access) ? cache.get(key) : undefined;
      if (cached) return cached;
      const ask = async (aborted: AbortSignal): Promise<RowColumns> => {
        const askedAt = clock.now();
        spoilt.set(key, false);
        try {
          const columns = await read(source, span, { accountId, token, signal: aborted });
          shown.set(access, clock.monotonic());
          if (spoilt.get(key) === false) {
            cache.set(key, columns, { size: Math.max(1, columns.bytes), ttl: cacheMs(span, askedAt) });
          }
          return columns;
        } catch (error) {
          // A source that the API no longer shows is not shown from the cache either.
          if (error instanceof UpstreamStatusError && !error.temporary) shown.delete(access);
          throw error;
        } finally {
          spoilt.delete(key);
        }
      };
      const { began, result } = calls.join(key, signal, ask);
      if (began) return result;
      // Another caller's token was refused, which proves nothing about this one.
      return result.catch((error: unknown) => {
        if (!isRejected(error) || signal.aborted) throw error;
        return calls.join(`${key} ${token}`, signal, ask).result;
      });
    },
    invalidate,
    received(message) {
      const { topic } = message;
      if (topic.kind !== "sensor" || !mayCache(topic.userId, topic.id)) return;
      const reading = parsePayload(Measured, message);
      if (reading.ok) invalidate(topic.userId, topic.id, Date.parse(reading.value.at));
    },
    mayCache,
    get bytes() {
      return cache.calculatedSize;
    },
  };
}

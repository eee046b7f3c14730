import type { LiveReading } from "@mulkko/shared/live/devices";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { errorCode } from "../../../api/errors.ts";
import { fetchHistory } from "../../../api/history.ts";
import { useRest } from "../../../api/hooks.ts";
import { useIsLive, useServerNow } from "../../../live/hooks.ts";
import { type RangeChoice, type Span, spanOf } from "../range/range.ts";
import { type LogSource, lineId, sourceKey } from "../sources/source.ts";
import { bridgeLines } from "./bridge.ts";
import {
  bucketsWith,
  type Grid,
  gridOf,
  type LineBuckets,
  type LogData,
  logDataOf,
  mergeLogData,
  newestFilled,
  oldestFilled,
} from "./log-data.ts";

/** Refresh interval of the statistics while a range ends now, ms. */
const REFRESH_MS = 60_000;

/**
 * Delay of a refresh after a lost connection, ms, so that other returning clients can fill their gaps first.
 */
const REFRESH_SOON_MS = 5_000;

/**
 * Delay between requests while the relay has read only part of a range, ms; the relay continues reading
 * meanwhile.
 */
const READ_ON_MS = 1_500;

/** Share of the range "all" before the first reading from which it begins at that reading instead. */
const EMPTY_SHARE = 0.05;

const isAll = (choice: RangeChoice): boolean => choice.kind === "preset" && choice.preset === "all";

/** Share of a range ending now that may slide out on the left before the whole range is requested again. */
const SLIDES_BY = 0.1;

interface Shown {
  readonly data: LogData;
  readonly grid: Grid;
  readonly follows: boolean;
  /** Time of the last history request, ms: nothing is missing before it. */
  readonly askedAt: number;
}

/**
 * Return the instant from which buckets may be missing, ms. The newest reading is not sufficient: it may have
 * arrived after a reconnection, with a gap before it.
 */
function missingSince({ data, grid, askedAt }: Shown): number {
  const answered = Math.floor(askedAt / grid.step) * grid.step;
  return Math.max(grid.from, Math.min(newestFilled(data) ?? grid.from, answered));
}

/** Query without the width, which does not affect the state. */
type Question = Pick<LogQuery, "sources" | "fields" | "choice" | "zone">;

/** Last answer, with the query that it is for. */
type Answered =
  | { state: "loading" }
  | { state: "failed"; code: string; of: Question }
  | { state: "there"; data: LogData; span: Span; of: Question };

interface LogQuery {
  /** Lists that stay the same objects while their members do. */
  readonly sources: readonly LogSource[];
  readonly fields: readonly string[];
  readonly choice: RangeChoice;
  readonly zone: string;
  /** CSS px of the chart; 0 while unknown. */
  readonly width: number;
}

export type Log = ReturnType<typeof useLogData>;

/** Load the log of a board: history in regular buckets, live readings on top, and gaps refilled (SUB-5). */
export function useLogData({ sources, fields, choice, zone, width }: LogQuery) {
  const { client } = useRest();
  const now = useServerNow();
  const live = useIsLive();
  const question = useMemo<Question>(
    () => ({ sources, fields, choice, zone }),
    [sources, fields, choice, zone],
  );
  const [answered, setAnswered] = useState<Answered>({ state: "loading" });
  const [figures, setFigures] = useState<Pick<LogData, "statistics" | "unread">>({
    statistics: {},
    unread: 0,
  });
  const [round, setRound] = useState(0);
  /** Data in the charts now, live readings included. */
  const shown = useRef<Shown | null>(null);
  const merges = useRef(new Set<(buckets: LineBuckets) => void>());

  const ask = useCallback(
    async ({ from, to, buckets }: Grid, signal: AbortSignal): Promise<LogData | null> => {
      const answer = await fetchHistory(client, { sources, fields, from, to, buckets }, signal);
      return logDataOf(answer, sources, fields);
    },
    [client, sources, fields],
  );
  const draw = useCallback((buckets: LineBuckets) => {
    for (const listener of merges.current) listener(buckets);
  }, []);

  // Load everything for a new range.
  useEffect(() => {
    // `round` requests the same range again.
    const { sources, fields, choice, zone } = question;
    if (width === 0 || sources.length === 0 || round < 0) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      let span = spanOf(choice, now(), zone);
      let grid = gridOf(span, width);
      const askedAt = now();
      let data = await ask(grid, abort.signal);
      const begun = data && isAll(choice) && data.unread === 0 ? oldestFilled(data) : null;
      if (begun !== null && begun - grid.from > EMPTY_SHARE * (grid.to - grid.from)) {
        span = { ...span, from: begun };
        grid = gridOf(span, width);
        data = await ask(grid, abort.signal);
      }
      if (abort.signal.aborted) return;
      const empty = Object.fromEntries(
        sources.flatMap((source) => fields.map((field) => [lineId(source, field), []])),
      );
      const found: LogData = data ?? { step: grid.step, buckets: empty, statistics: {}, unread: 0 };
      shown.current = { data: found, grid, follows: span.follows, askedAt };
      setFigures(found);
      setAnswered({ state: "there", data: found, span, of: question });
      if (found.unread > 0) timer = setTimeout(() => void readOn(grid), READ_ON_MS);
    };
    const readOn = async (grid: Grid) => {
      const askedAt = now();
      // Repeat a request without an answer: the relay keeps what it has read.
      const more = await ask(grid, abort.signal).catch(() => null);
      const before = shown.current;
      if (abort.signal.aborted || before?.grid !== grid) return;
      if (more && more.step === grid.step) {
        const data = mergeLogData(before.data, more);
        shown.current = { ...before, data, askedAt };
        setFigures(data);
        draw(bridgeLines(data.buckets));
      }
      if (more?.unread !== 0) timer = setTimeout(() => void readOn(grid), READ_ON_MS);
    };
    load().catch((error: unknown) => {
      if (abort.signal.aborted || shown.current) return;
      setAnswered({ state: "failed", code: errorCode(error), of: question });
    });
    return () => {
      abort.abort();
      clearTimeout(timer);
      shown.current = null;
    };
  }, [ask, draw, question, width, now, round]);

  /** Request what may be missing and merge it; `whole` includes statistics of the range. */
  const refill = useCallback(
    async (whole: boolean, signal: AbortSignal) => {
      const before = shown.current;
      if (!before?.follows) return;
      const { grid } = before;
      const to = Math.max(grid.to, Math.ceil(now() / grid.step) * grid.step);
      if (to - grid.to > SLIDES_BY * (grid.to - grid.from)) return setRound((last) => last + 1);
      const askedAt = now();
      const from = whole ? grid.from : missingSince(before);
      const newer = await ask({ from, to, step: grid.step, buckets: (to - from) / grid.step }, signal);
      if (!newer || signal.aborted || shown.current?.grid !== grid || newer.step !== grid.step) return;
      const merged = mergeLogData(shown.current.data, newer);
      shown.current = { ...shown.current, data: merged, askedAt };
      draw(bridgeLines(merged.buckets));
      if (whole) setFigures((last) => ({ ...last, statistics: newer.statistics }));
    },
    [ask, draw, now],
  );
  const retry = useCallback(() => {
    setAnswered({ state: "loading" });
    setRound((last) => last + 1);
  }, []);
  const missed = useRef<AbortController | null>(null);
  const failed = answered.state === "failed";
  /** Handle skipped live values. */
  const onCaughtUp = useCallback(() => {
    // Repeat a request that failed while the connection was lost.
    if (failed) return retry();
    // Several sources that caught up at once share one request.
    missed.current?.abort();
    const abort = new AbortController();
    missed.current = abort;
    // Without an answer the timer's next refresh fills the gap.
    queueMicrotask(() => {
      if (!abort.signal.aborted) refill(false, abort.signal).catch(() => undefined);
    });
    const soon = setTimeout(() => {
      refill(true, abort.signal).catch(() => undefined);
    }, REFRESH_SOON_MS);
    abort.signal.addEventListener("abort", () => clearTimeout(soon));
  }, [failed, retry, refill]);
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    const timer = setInterval(() => {
      refill(true, abort.signal).catch(() => undefined);
    }, REFRESH_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
      missed.current?.abort();
    };
  }, [live, refill]);

  const counted = useRef(new Map<string, string>());
  /** Put a live reading of one of the sources into its bucket. */
  const onReading = useCallback(
    (source: LogSource, reading: LiveReading, at: string) => {
      const key = sourceKey(source);
      const last = counted.current.get(key);
      if (at === last) return;
      counted.current.set(key, at);
      const before = shown.current;
      // The history already contains the reading that was present when the page opened.
      if (last === undefined || !before?.follows) return;
      const changed = bucketsWith(before.data, source, fields, reading, Date.parse(at));
      const newer = Object.fromEntries(Object.entries(changed).map(([line, bucket]) => [line, [bucket]]));
      const data = mergeLogData(before.data, { ...before.data, buckets: newer });
      shown.current = { ...before, data };
      // Data up to the newest reading are complete; the buckets between it and this one may need a bridge.
      const since = newestFilled(before.data) ?? 0;
      const lines = Object.fromEntries(Object.keys(changed).map((line) => [line, data.buckets[line] ?? []]));
      const tails = Object.entries(bridgeLines(lines)).map(
        ([line, list]) => [line, list.filter(({ t }) => t * 1000 >= since)] as const,
      );
      draw(Object.fromEntries(tails));
    },
    [fields, draw],
  );

  /** Subscribe to buckets that arrived after `log.data`. @returns a function that unsubscribes */
  const onMerge = useCallback((listener: (buckets: LineBuckets) => void) => {
    merges.current.add(listener);
    return () => {
      merges.current.delete(listener);
    };
  }, []);
  /** Return the current buckets, live ones included; null without any. */
  const current = useCallback(() => {
    const data = shown.current?.data;
    return data ? bridgeLines(data.buckets) : null;
  }, []);
  const stale = answered.state !== "loading" && answered.of !== question;
  const ofThis = answered.state === "there" && !stale;
  return {
    /** `data` changes with the range; live buckets go to `onMerge`. */
    log: answered.state === "failed" && stale ? ({ state: "loading" } as const) : answered,
    /** True for data of a previous query while the new answer is loading. */
    stale: answered.state === "there" && stale,
    /** By line, over the raw rows of the range. Null while the statistics of this range are loading. */
    statistics: ofThis ? figures.statistics : null,
    /** Share of the range that has not been read yet, 0 to 1. */
    unread: ofThis ? figures.unread : 0,
    onMerge,
    current,
    onReading,
    onCaughtUp,
    retry,
  };
}

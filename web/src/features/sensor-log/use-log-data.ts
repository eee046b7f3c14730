import { sensorKey } from "@mulkko/shared/live/keys";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { useCallback, useEffect, useRef, useState } from "react";
import { useIsLive, useLive, useOnCaughtUp, useServerNow } from "../../live/hooks.ts";
import { errorCode } from "../../rest/errors.ts";
import { fetchHistory } from "../../rest/history.ts";
import { useRest } from "../../rest/hooks.ts";
import type { Bucket } from "../../ui/chart/bucket.ts";
import { bridge, bridgeAll } from "./bridge.ts";
import { type Grid, gridOf } from "./grid.ts";
import { bucketsWith, type LogData, logDataOf, mergeLogData, newestFilled } from "./log-data.ts";
import { type RangeChoice, spanOf } from "./range.ts";

/** How often statistics are asked for anew while a range follows time, ms. */
const REFRESH_MS = 60_000;

/** Share of a following range that may pass out of its left side before the whole is asked for anew. */
const SLIDES_BY = 0.1;

interface Shown {
  readonly data: LogData;
  readonly grid: Grid;
  readonly follows: boolean;
  /** When the history was asked last, ms: up to there nothing is missing. */
  readonly askedAt: number;
}

/**
 * From where on buckets may be missing, ms. The newest reading alone does not say it: it may be the one that came
 * when the link came back, with a hole before it.
 */
function missingSince({ data, grid, askedAt }: Shown): number {
  const answered = Math.floor(askedAt / grid.step) * grid.step;
  return Math.max(grid.from, Math.min(newestFilled(data) ?? grid.from, answered));
}

/** What the page draws. `data` changes with the range; what arrives live goes to `onMerge`. */
export type LogState =
  | { state: "loading" }
  | { state: "failed"; code: string }
  | { state: "there"; data: LogData };

export interface LogQuery {
  readonly id: string;
  /** A list that stays the same while its members do. */
  readonly fields: readonly string[];
  readonly choice: RangeChoice;
  readonly zone: string;
  /** CSS px of the chart; 0 while not known. */
  readonly width: number;
}

export interface Log {
  readonly log: LogState;
  readonly statistics: Readonly<Record<string, FieldStatistics>>;
  /** Listens for buckets that came after `log.data`. @returns stops */
  onMerge(listener: (buckets: Readonly<Record<string, readonly Bucket[]>>) => void): () => void;
  /** The buckets as they are drawn now, live ones included; null while there are none. */
  current(): LogData["buckets"] | null;
  retry(): void;
}

type Merge = Readonly<Record<string, readonly Bucket[]>>;

/** One sensor's past and present: history in regular buckets, live readings on top, holes filled (SUB-5). */
export function useLogData({ id, fields, choice, zone, width }: LogQuery): Log {
  const { client } = useRest();
  const now = useServerNow();
  const live = useIsLive();
  const [log, setLog] = useState<LogState>({ state: "loading" });
  const [statistics, setStatistics] = useState<Log["statistics"]>({});
  const [round, setRound] = useState(0);
  /** What the charts show now, live readings included. */
  const shown = useRef<Shown | null>(null);
  const merges = useRef(new Set<(buckets: Merge) => void>());

  const ask = useCallback(
    async (grid: Grid, signal: AbortSignal): Promise<LogData | null> => {
      const { from, to, buckets } = grid;
      return logDataOf(
        await fetchHistory(client, { ids: [id], fields, from, to, buckets }, signal),
        id,
        fields,
      );
    },
    [client, id, fields],
  );

  // A new range: everything anew.
  useEffect(() => {
    // `round` asks again for the same range.
    if (width === 0 || round < 0) return;
    const abort = new AbortController();
    const load = async () => {
      const span = spanOf(choice, now(), zone);
      const grid = gridOf(span, width);
      const askedAt = now();
      const data = await ask(grid, abort.signal);
      if (abort.signal.aborted) return;
      const found: LogData = data ?? { step: grid.step, buckets: {}, statistics: {} };
      shown.current = { data: found, grid, follows: span.follows, askedAt };
      setStatistics(found.statistics);
      setLog({ state: "there", data: found });
    };
    load().catch((error: unknown) => {
      if (!abort.signal.aborted && !shown.current) setLog({ state: "failed", code: errorCode(error) });
    });
    return () => {
      abort.abort();
      shown.current = null;
    };
  }, [ask, choice, zone, width, now, round]);

  /** Asks for what may be missing and puts it over what is shown; `whole` brings statistics of the range. */
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
      const drawn = bridgeAll(merged.buckets);
      for (const listener of merges.current) listener(drawn);
      if (whole) setStatistics(newer.statistics);
    },
    [ask, now],
  );
  const retry = useCallback(() => {
    setLog({ state: "loading" });
    setRound((last) => last + 1);
  }, []);
  const missed = useRef<AbortController | null>(null);
  useOnCaughtUp(sensorKey(id), () => {
    // What failed while the link was away is asked for again.
    if (log.state === "failed") return retry();
    missed.current?.abort();
    missed.current = new AbortController();
    // Without an answer the next round of the timer fills the hole.
    refill(false, missed.current.signal).catch(() => undefined);
  });
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

  // The present: each reading goes into its bucket as it comes.
  const value = useLive("sensor", id);
  const at = value?.at ?? null;
  const reading = value?.reading ?? null;
  const counted = useRef<string | null>(null);
  useEffect(() => {
    const before = shown.current;
    const first = counted.current === null;
    if (at === null || reading === null || at === counted.current) return;
    counted.current = at;
    // The reading that stood there when the page opened is in the history already.
    if (first || !before?.follows) return;
    const changed = bucketsWith(before.data, reading, Date.parse(at));
    const merge: Merge = Object.fromEntries(
      Object.entries(changed).map(([field, bucket]) => [field, [bucket]]),
    );
    const { step, statistics: kept } = before.data;
    const data = mergeLogData(before.data, { step, buckets: merge, statistics: kept });
    shown.current = { ...before, data };
    // What was drawn up to the newest reading stands; what lies between it and this one may have to be bridged.
    const since = newestFilled(before.data) ?? 0;
    const tails = Object.keys(changed).map((field) => {
      const list = bridge(data.buckets[field] ?? []);
      return [field, list.filter(({ t }) => t * 1000 >= since)] as const;
    });
    for (const listener of merges.current) listener(Object.fromEntries(tails));
  }, [at, reading]);

  const onMerge = useCallback((listener: (buckets: Merge) => void) => {
    merges.current.add(listener);
    return () => {
      merges.current.delete(listener);
    };
  }, []);
  const current = useCallback(() => {
    const data = shown.current?.data;
    return data ? bridgeAll(data.buckets) : null;
  }, []);
  return { log, statistics, onMerge, current, retry };
}

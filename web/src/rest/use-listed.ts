import { useEffect, useState } from "react";
import type { Static, TSchema } from "typebox";
import { type CallFailure, callFailure } from "./errors.ts";
import { useRest } from "./hooks.ts";
import { fetchListed, type Listed, type ListQuery, type LongList } from "./listed.ts";

/** Debounce of typed search text, ms. */
const TYPED_MS = 250;

/** State of a long list's part. The previous rows stay while the next ones load. */
export interface UsedList<Row> {
  /** Null until the first answer. */
  readonly listed: Listed<Row> | null;
  /** Error of the last query. */
  readonly failure: CallFailure | null;
  /** Repeat the query after a change. */
  again(): void;
}

/** @param list must be a stable object */
export function useListed<S extends TSchema>(list: LongList<S>, query: ListQuery): UsedList<Static<S>> {
  const { client } = useRest();
  const { page, size, text, sort, filters } = query;
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ listed: Listed<Static<S>> | null; failure: CallFailure | null }>({
    listed: null,
    failure: null,
  });
  const sortKey = sort?.key ?? null;
  const descending = sort?.descending ?? false;
  /** Equal text for equal filters, whatever object they are in. */
  const narrowed = JSON.stringify(filters ?? {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` counts repeated queries, `narrowed` represents `filters`
  useEffect(() => {
    const abort = new AbortController();
    const ask = () =>
      fetchListed(
        client,
        list,
        {
          page,
          size,
          text,
          sort: sortKey === null ? null : { key: sortKey, descending },
          ...(filters ? { filters } : {}),
        },
        abort.signal,
      ).then(
        (listed) => setState({ listed, failure: null }),
        (error: unknown) => {
          if (!abort.signal.aborted) setState((before) => ({ ...before, failure: callFailure(error) }));
        },
      );
    const timer = setTimeout(ask, text === "" ? 0 : TYPED_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, list, page, size, text, sortKey, descending, narrowed, round]);
  return { ...state, again: () => setRound((count) => count + 1) };
}

import { useEffect, useState } from "react";
import type { Static, TSchema } from "typebox";
import { type CallFailure, callFailure } from "./errors.ts";
import { useRest } from "./hooks.ts";
import { fetchListed, type Listed, type ListQuery, type LongList } from "./listed.ts";

/** What is typed is asked for after this pause, ms. */
const TYPED_MS = 250;

/** A part of a long list, as far as it has come. What was there stays while the next one is on its way. */
export interface UsedList<Row> {
  /** Null until the first answer. */
  readonly listed: Listed<Row> | null;
  /** Why the last question failed. */
  readonly failure: CallFailure | null;
  /** Asks for the same once more: something was changed. */
  again(): void;
}

/** @param list stays the same object */
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
  /** The same words for the same filters, whatever object they stand in. */
  const narrowed = JSON.stringify(filters ?? {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` counts the times that the same is asked for anew, `narrowed` stands for `filters`
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

import type { Static, TSchema } from "typebox";
import { type CallFailure, callFailure } from "./errors.ts";
import { fetchListed, type Listed, type ListQuery, type LongList } from "./listed.ts";
import { pause, useLastAnswer, useReload, useRestQuery } from "./queries.tsx";

/** Debounce of typed search text, ms. */
const TYPED_MS = 250;

/** State of a long list's part. The previous rows stay while the next ones load. */
export interface UsedList<Row> {
  /** Null until the first answer. */
  readonly listed: Listed<Row> | null;
  /** Error of the last query. */
  readonly failure: CallFailure | null;
  /** Repeat the query after a change, with everything else that depends on the list. */
  again(): void;
}

export function useListed<S extends TSchema>(list: LongList<S>, query: ListQuery): UsedList<Static<S>> {
  const reload = useReload();
  const { data, error } = useRestQuery([list.path, query], async (rest, signal) => {
    if (query.text !== "") await pause(TYPED_MS, signal);
    return fetchListed(rest, list, query, signal);
  });
  return {
    listed: useLastAnswer(data),
    failure: error && callFailure(error),
    again: () => reload([list.path]),
  };
}

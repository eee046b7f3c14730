import {
  type DefinedUseQueryResult,
  QueryClient,
  QueryClientProvider,
  type QueryKey,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import type { RestClient } from "./client.ts";
import { type Rest, RestContext, useRest } from "./hooks.ts";

/**
 * Create the cache of one account's answers.
 *
 * - An answer lives as long as a component shows it, so an old one is never taken for a current one.
 * - A failed call is not repeated: the page shows its reason, and a poll tries again at its next interval.
 * - Neither focus nor a returning network reloads everything at once, which would overload a bad link.
 * - A call is sent without a network too, so that the page shows that the server cannot be reached.
 * - A write leaves nothing behind: its values may be a password, and its answer a key that is shown once.
 */
const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: 0,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchIntervalInBackground: true,
        networkMode: "always",
      },
      mutations: { gcTime: 0, networkMode: "always" },
    },
  });

/**
 * Provide the calls of one account and an empty cache for their answers. Requires a `key` where the account
 * can change: the cache ends with the provider, and an answer to its calls reaches no other account.
 */
export function RestProvider({ rest, children }: { rest: Rest; children: ReactNode }) {
  const [queries] = useState(createQueries);
  return (
    <RestContext value={rest}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </RestContext>
  );
}

interface RestQueryOptions {
  readonly enabled?: boolean;
  /** Lifetime of an answer that no component shows, ms. */
  readonly gcTime?: number;
  readonly refetchInterval?: number;
  readonly refetchIntervalInBackground?: boolean;
}

/**
 * Load a value with the page's client. `data` is null until the first answer and stays when a later call
 * fails; `error` stays until the next answer, so that a repeated call does not hide it.
 */
export function useRestQuery<T>(
  queryKey: QueryKey,
  ask: (rest: RestClient, signal: AbortSignal) => Promise<T>,
  options: RestQueryOptions = {},
): DefinedUseQueryResult<T | null> {
  const { client } = useRest();
  return useQuery<T | null>({
    queryKey,
    queryFn: ({ signal }) => ask(client, signal),
    initialData: null,
    ...options,
  });
}

/**
 * Return a function that loads queries again after a change. It replaces a call under way, whose answer may
 * be older than the change.
 */
export function useReload(): (queryKey: QueryKey) => void {
  const queries = useQueryClient();
  return useCallback((queryKey) => void queries.invalidateQueries({ queryKey }), [queries]);
}

/**
 * Return a query's data, or the data of its previous key until this one has an answer: the rows of a list stay
 * while another page loads, and also if it fails.
 */
export function useLastAnswer<T>(data: T | null): T | null {
  const [last, setLast] = useState(data);
  if (data !== null && data !== last) setLast(data);
  return data ?? last;
}

/** Wait before a query that typing changes. Rejects when the query is no longer wanted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

import { createContext, useContext, useEffect } from "react";
import { createStore, type StoreApi, useStore } from "zustand";

/** What has no room on the page that is shown: how many things, and how many of them are not as they should be. */
export interface Waiting {
  readonly count: number;
  readonly wrong: number;
}

const NONE: Waiting = { count: 0, wrong: 0 };

export const createWaiting = (): StoreApi<Waiting> => createStore<Waiting>(() => NONE);

/** Between the page and the bar above it, which says it: the page has no room for that either. */
export const WaitingContext = createContext<StoreApi<Waiting> | null>(null);

function useWaitingStore(): StoreApi<Waiting> {
  const store = useContext(WaitingContext);
  if (!store) throw new Error("a page of the wall needs a WaitingContext around it");
  return store;
}

export const useWaiting = (): Waiting => useStore(useWaitingStore());

/** Says how much waits, as long as the page stands. */
export function useTellWaiting({ count, wrong }: Waiting): void {
  const store = useWaitingStore();
  useEffect(() => {
    store.setState({ count, wrong }, true);
    return () => store.setState(NONE, true);
  }, [store, count, wrong]);
}

import { createContext, useContext, useEffect } from "react";
import { createStore, type StoreApi, useStore } from "zustand";

/** Items without space on the current page: their number, and how many have a problem. */
export interface Waiting {
  readonly count: number;
  readonly wrong: number;
}

const NONE: Waiting = { count: 0, wrong: 0 };

export const createWaiting = (): StoreApi<Waiting> => createStore<Waiting>(() => NONE);

/** Shared by the page and the bar above it, which shows the count: the page has no space for it. */
export const WaitingContext = createContext<StoreApi<Waiting> | null>(null);

function useWaitingStore(): StoreApi<Waiting> {
  const store = useContext(WaitingContext);
  if (!store) throw new Error("a page of the wall needs a WaitingContext around it");
  return store;
}

export const useWaiting = (): Waiting => useStore(useWaitingStore());

/** Report the number of waiting items while the page is mounted. */
export function useTellWaiting({ count, wrong }: Waiting): void {
  const store = useWaitingStore();
  useEffect(() => {
    store.setState({ count, wrong }, true);
    return () => store.setState(NONE, true);
  }, [store, count, wrong]);
}

import { useLayoutEffect } from "react";
import { createStore, useStore } from "zustand";

const pageName = createStore<{ readonly shown: string | null }>(() => ({ shown: null }));

/** Set the name of the page's subject (a category, a farm, a device) while mounted; null sets none. */
export function useNamesPage(name: string | null): void {
  useLayoutEffect(() => {
    if (name === null) return;
    pageName.setState({ shown: name });
    return () => pageName.setState({ shown: null });
  }, [name]);
}

/** Return the name of the page's subject and follow its changes; null if none is set. */
export function usePageName(): string | null {
  return useStore(pageName, ({ shown }) => shown);
}

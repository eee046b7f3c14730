import { useLayoutEffect, useSyncExternalStore } from "react";

let shown: string | null = null;
const listeners = new Set<() => void>();

function show(name: string | null): void {
  if (name === shown) return;
  shown = name;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Set the name of the page's subject (a category, a farm, a device) while mounted; null sets none. */
export function useNamesPage(name: string | null): void {
  useLayoutEffect(() => {
    if (name === null) return;
    show(name);
    return () => show(null);
  }, [name]);
}

/** Return the name of the page's subject and follow its changes; null if none is set. */
export function usePageName(): string | null {
  return useSyncExternalStore(subscribe, () => shown);
}

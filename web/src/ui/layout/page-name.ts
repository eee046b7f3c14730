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

/** Says what the page shows, a category, a farm, a device, for as long as it shows it; null says nothing. */
export function useNamesPage(name: string | null): void {
  useLayoutEffect(() => {
    if (name === null) return;
    show(name);
    return () => show(null);
  }, [name]);
}

/** What the page says that it shows, followed; null where it says nothing. */
export function usePageName(): string | null {
  return useSyncExternalStore(subscribe, () => shown);
}

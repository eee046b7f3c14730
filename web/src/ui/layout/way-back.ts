import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { type Location, NavigationType, useLocation, useNavigationType } from "react-router-dom";

/** Most steps of a tab's history that are remembered. */
const MOST = 50;

/** Where a step of the history was taken from, by the step's key; the newest last. */
const ways = new Map<string, string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function remember(key: string, address: string): void {
  ways.delete(key);
  ways.set(key, address);
  for (const [oldest] of ways) {
    if (ways.size <= MOST) break;
    ways.delete(oldest);
  }
  for (const listener of listeners) listener();
}

const addressOf = ({ pathname, search }: Location): string => `${pathname}${search}`;

/** Remembers which page led to which; called once, around every page. */
export function useRemembersWays(): void {
  const location = useLocation();
  const type = useNavigationType();
  const before = useRef(location);
  useLayoutEffect(() => {
    const from = before.current;
    if (from.key === location.key) return;
    before.current = location;
    if (type === NavigationType.Push) remember(location.key, addressOf(from));
    // Another range in the address is the same step.
    const kept = ways.get(from.key);
    if (type === NavigationType.Replace && kept !== undefined) remember(location.key, kept);
  }, [location, type]);
}

/** The address that led to this page, one step back; null where none of this product did, or not in this tab's life. */
export function useWayBack(): string | null {
  const { key } = useLocation();
  return useSyncExternalStore(subscribe, () => ways.get(key) ?? null);
}

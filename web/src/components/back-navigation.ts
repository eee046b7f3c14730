import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { type Location, NavigationType, useLocation, useNavigationType } from "react-router-dom";

/** Maximum number of remembered history steps per tab. */
const MOST = 50;

/** Previous address of each history step, by the step's key; newest last. */
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

/** Remember which page led to which. Call once, around every page. */
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
    const previous = ways.get(from.key);
    if (type === NavigationType.Replace && previous !== undefined) remember(location.key, previous);
  }, [location, type]);
}

/** Return the address that led to this page; null if it is outside this product or this tab's life. */
export function useBackNavigation(): string | null {
  const { key } = useLocation();
  return useSyncExternalStore(subscribe, () => ways.get(key) ?? null);
}

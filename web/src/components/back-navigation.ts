import { useLayoutEffect, useRef } from "react";
import { type Location, NavigationType, useLocation, useNavigationType } from "react-router-dom";
import { createStore, useStore } from "zustand";

/** Maximum number of remembered history steps per tab. */
const MOST = 50;

/** Previous address of each history step, by the step's key; newest last. */
const ways = createStore<ReadonlyMap<string, string>>(() => new Map());

function remember(key: string, address: string): void {
  const others = [...ways.getState()].filter(([known]) => known !== key);
  ways.setState(new Map([...others, [key, address] as const].slice(-MOST)), true);
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
    const previous = ways.getState().get(from.key);
    if (type === NavigationType.Replace && previous !== undefined) remember(location.key, previous);
  }, [location, type]);
}

/** Return the address that led to this page; null if it is outside this product or this tab's life. */
export function useBackNavigation(): string | null {
  const { key } = useLocation();
  return useStore(ways, (steps) => steps.get(key) ?? null);
}

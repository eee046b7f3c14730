import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { useLiveClient } from "../live/hooks.ts";
import { fleetOf } from "./fleet.ts";
import type { FleetLoading, FleetStatus, FleetStore, FleetTopic } from "./fleet-store.ts";

/** The fleet's store, with the stream read as long as the component stands. */
export function useFleet(): FleetStore {
  const fleet = fleetOf(useLiveClient());
  useEffect(() => fleet.use(), [fleet]);
  return fleet.store;
}

/** One device, followed; undefined once it is gone. @param key its whole key in the stream */
export function useFleetDevice(key: string): FleetDeviceValue | undefined {
  const { store } = fleetOf(useLiveClient());
  const subscribe = useCallback((listener: () => void) => store.subscribe(key, listener), [store, key]);
  return useSyncExternalStore(subscribe, () => store.get("device", key));
}

export function useFleetStatus(): FleetStatus {
  const { store } = fleetOf(useLiveClient());
  const subscribe = useCallback((listener: () => void) => store.subscribe("status", listener), [store]);
  return useSyncExternalStore(subscribe, () => store.status());
}

const LOADING = ["device", "fleet", "status"] as const;
const loadingIn = (store: FleetStore): FleetLoading | null => store.loading();
const sameLoading = (a: FleetLoading | null, b: FleetLoading | null): boolean =>
  a?.loaded === b?.loaded && a?.total === b?.total && (a === null) === (b === null);

/** How much of the fleet has come while the rest is on its way; null once all of it is here. */
export const useFleetLoading = (): FleetLoading | null => useFleetSelection(LOADING, loadingIn, sameLoading);

/**
 * Something computed from the whole fleet, anew when one of `topics` is told (at most twice a second). The component
 * is drawn again only if `same` says that the result differs.
 *
 * @param topics a list that stays the same (a constant outside the component)
 */
export function useFleetSelection<T>(
  topics: readonly FleetTopic[],
  select: (store: FleetStore) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  const { store } = fleetOf(useLiveClient());
  const last = useRef<{ versions: string; select: (store: FleetStore) => T; result: T } | null>(null);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = topics.map((topic) => store.subscribe(topic, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, topics],
  );
  const read = () => {
    const versions = topics.map((topic) => store.version(topic)).join();
    const before = last.current;
    if (before?.versions === versions && before.select === select) return before.result;
    const fresh = select(store);
    const result = before && same(before.result, fresh) ? before.result : fresh;
    last.current = { versions, select, result };
    return result;
  };
  return useSyncExternalStore(subscribe, read);
}

import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { useEffect } from "react";
import { useLiveClient } from "../../live/hooks.ts";
import { useFollowed, useSelection } from "../../live/keyed-store-hooks.ts";
import { fleetOf } from "./fleet.ts";
import type { FleetAsked, FleetLoading, FleetStatus, FleetStore, FleetTopic } from "./fleet-store.ts";

/** Return the fleet's store and keep its stream subscribed while the component is mounted. */
export function useFleet(): FleetStore {
  const fleet = fleetOf(useLiveClient());
  useEffect(() => fleet.use(), [fleet]);
  return fleet.store;
}

/** Return one device, kept up to date; undefined after its deletion. @param key its full key in the stream */
export function useFleetDevice(key: string): FleetDeviceValue | undefined {
  return useFollowed(fleetOf(useLiveClient()).store, key, (store) => store.get("device", key));
}

export function useFleetStatus(): FleetStatus {
  return useFollowed(fleetOf(useLiveClient()).store, "status", (store) => store.status());
}

const LOADING = ["device", "fleet", "status"] as const;
const loadingIn = (store: FleetStore): FleetLoading | null => store.loading();
const sameLoading = (a: FleetLoading | null, b: FleetLoading | null): boolean =>
  a?.loaded === b?.loaded && a?.total === b?.total && (a === null) === (b === null);

/** Return the progress of loading the fleet; null once it is complete. */
export const useFleetLoading = (): FleetLoading | null => useFleetSelection(LOADING, loadingIn, sameLoading);

const LIST = ["fleet"] as const;
const askingIn = (store: FleetStore): FleetAsked | null => store.asking();
const sameAsked = (a: FleetAsked | null, b: FleetAsked | null): boolean =>
  a?.answered === b?.answered && a?.of === b?.of;

/** Return the progress of polling the devices; null if all were polled or none is. */
export const useFleetAsking = (): FleetAsked | null => useFleetSelection(LIST, askingIn, sameAsked);

/**
 * Compute a value from the whole fleet, again when one of `topics` changes (at most twice a second). The
 * component renders again only if `same` returns false.
 *
 * @param topics a list that stays the same object (a constant outside the component)
 */
export function useFleetSelection<T>(
  topics: readonly FleetTopic[],
  select: (store: FleetStore) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  return useSelection(fleetOf(useLiveClient()).store, topics, select, same);
}

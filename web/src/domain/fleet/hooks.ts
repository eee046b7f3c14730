import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { useCallback, useEffect } from "react";
import { useLabels } from "../../i18n/labels.ts";
import { useFollowed, useLinkQuality, useLiveClient, useSelection } from "../../live/hooks.ts";
import { type Board, boardOf, nameOrder, sameBoard } from "./board.ts";
import { deviceState, type FleetState, type Need, nameOf, needsOf, priorityOf } from "./device-state.ts";
import type { FleetFilter } from "./filter.ts";
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

/** Device as shown in a row: no better than the links allow (ONL-2). */
export interface ShownDevice {
  readonly device: FleetDeviceValue;
  readonly name: string;
  readonly state: FleetState;
  readonly alarm: AlarmPriority | null;
  readonly needs: readonly Need[];
}

/** Return one device, kept up to date; undefined after its deletion. */
export function useShownDevice(key: string): ShownDevice | undefined {
  const device = useFleetDevice(key);
  const links = useLinkQuality();
  if (!device) return undefined;
  return {
    device,
    name: nameOf(device),
    state: deviceState(device, links),
    alarm: priorityOf(device),
    needs: needsOf(device),
  };
}

const ACCOUNTS = ["account"] as const;

/** Return the name and telephone of an account's user, where they are known, as one text. */
export function useOwnerWords(account: string): string {
  return useFleetSelection(
    ACCOUNTS,
    useCallback(
      (store: FleetStore) => {
        const { nickname, phone } = store.all("account").get(fleetAccountKey(account)) ?? {};
        return [nickname, phone].filter(Boolean).join(" · ");
      },
      [account],
    ),
  );
}

const DEVICES = ["device"] as const;
const NAMES = ["names"] as const;

const orderIn = (store: FleetStore) => nameOrder(store.all("device"));

/**
 * Return the board of a filter, kept up to date. @param filter must stay the same object while it is equal
 */
export function useBoard(filter: FleetFilter): Board {
  const { deviceType } = useLabels();
  const order = useFleetSelection(NAMES, orderIn);
  return useFleetSelection(
    DEVICES,
    useCallback(
      (store: FleetStore) => boardOf(store.all("device"), order, filter, deviceType),
      [order, filter, deviceType],
    ),
    sameBoard,
  );
}

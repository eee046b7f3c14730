import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { fieldAs } from "@mulkko/shared/catalogue/registry";
import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { MISSING } from "@mulkko/shared/rules/format";
import { useCallback, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { useLabels } from "../../i18n/labels.ts";
import { useFollowed, useLinkQuality, useLiveClient, useSelection } from "../../live/hooks.ts";
import { type Board, boardOf, nameOrder, sameBoard } from "./board.ts";
import { deviceState, type FleetState, nameOf, needsOf, priorityOf } from "./device-state.ts";
import type { FleetFilter } from "./filter.ts";
import { type FleetStatus, type FleetStore, type FleetTopic, fleetOf } from "./fleet-store.ts";
import { tallyOf } from "./morning.ts";
import { accountUrgency, needsAlarms, type UrgentPriority, urgentAlarms } from "./urgent.ts";

const { battery: PERCENT } = FIELDS;

/** Format a battery: 88 %, or 3.6 V. */
export function batteryTexts(battery: number | null): string {
  const { unit, decimals } = fieldAs(PERCENT, battery);
  return battery === null ? MISSING : `${battery.toFixed(decimals)} ${unit}`;
}

/** Format a signal: −97 dBm, with a true minus sign. */
export const signalTexts = (dbm: number | null): string =>
  dbm === null ? MISSING : `${Math.round(dbm)} dBm`.replace("-", "−");

export type FleetTexts = ReturnType<typeof useFleetTexts>;

/**
 * Return one set of translations for hundreds of rows: a translation hook in each row takes as long as
 * rendering it.
 */
export function useFleetTexts() {
  const { t } = useTranslation("fleet");
  const { deviceType, shortAge } = useLabels();
  return useMemo(
    () => ({
      deviceType,
      shortAge,
      state: (state: FleetState) => t(`state.${state}`),
      alarm: (priority: UrgentPriority) => t(priority === 1 ? "alarm.1" : "alarm.2"),
      /** @param share of the half-hours with reports, 0 to 1; null if unobserved */
      beats: (share: number | null) =>
        share === null
          ? t("heartbeat.unseen")
          : t("heartbeat.received", { percent: Math.round(share * 100) }),
    }),
    [t, deviceType, shortAge],
  );
}

const LOADING = ["device", "fleet", "status"] as const;

/** Say how much of the fleet is loaded; null once all of it is. */
export function useLoadingTexts(): string | null {
  const { t } = useTranslation("common");
  const loading = useFleetSelection(LOADING, (store) => store.loading(), shallow);
  if (loading === null) return null;
  const { loaded, total } = loading;
  return total === null || total < loaded
    ? t("partial.some", { count: loaded })
    : t("partial.of", { loaded, count: total });
}

const LIST = ["fleet"] as const;

/** Say how many devices were asked how they are; null unless they are asked one by one and some are left. */
export function useAskingTexts(): string | null {
  const { t } = useTranslation("common");
  const asking = useFleetSelection(LIST, (store) => store.asking(), shallow);
  return asking === null ? null : t("partial.asked", { answered: asking.answered, count: asking.of });
}

/** Return the fleet's store and keep its whole stream subscribed while the component is mounted. */
export function useFleet(): FleetStore {
  const fleet = fleetOf(useLiveClient());
  useEffect(() => fleet.use("whole"), [fleet]);
  return fleet.store;
}

const URGENT = ["alarm", "fleet"] as const;

const urgentIn = (store: FleetStore) => urgentAlarms(store.all("alarm").values());

/**
 * Follow the urgent alarms of all accounts on a page that shows nothing else of the fleet: only the sums are
 * loaded while there is none.
 *
 * @param whole true on a page that needs the whole fleet anyway
 */
export function useUrgentWatch(whole: boolean): readonly FleetAlarmValue[] {
  const fleet = fleetOf(useLiveClient());
  const isUrgent = useFleetSelection(URGENT, needsAlarms);
  const part = whole || isUrgent ? "whole" : "sums";
  useEffect(() => fleet.use(part), [fleet, part]);
  return useUrgentAlarms();
}

/** Return the urgent alarms of all accounts, most urgent first (WARN-1). */
export const useUrgentAlarms = (): readonly FleetAlarmValue[] => useFleetSelection(URGENT, urgentIn, shallow);

export function useFleetStatus(): FleetStatus {
  return useFollowed(fleetOf(useLiveClient()).store, "status", (store) => store.status());
}

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
export type ShownDevice = NonNullable<ReturnType<typeof useShownDevice>>;

/** Return one device, kept up to date; undefined after its deletion. @param key its full key in the stream */
export function useShownDevice(key: string) {
  const device = useFollowed(fleetOf(useLiveClient()).store, key, (store) => store.get("device", key));
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

const DEVICES = ["device"] as const;

/**
 * Count the devices by state, kept up to date. No state is better than `link`, the state of a healthy device as
 * limited by the links (ONL-2).
 */
export function useFleetTally() {
  const link = useLinkQuality();
  const tally = useFleetSelection(DEVICES, (store) => tallyOf(store.all("device"), link), shallow);
  return { link, tally };
}

const NAMES = ["names"] as const;

const orderIn = (store: FleetStore) => nameOrder(store.all("device"));

/** Return the order of the devices by name, computed again only after a name has changed. */
export const useFleetOrder = () => useFleetSelection(NAMES, orderIn);

const BOARD = ["device", "account", "alarm", "fleet"] as const;

/**
 * Return the board of a filter, kept up to date. @param filter must stay the same object while it is equal
 */
export function useBoard(filter: FleetFilter): Board {
  const { deviceType } = useLabels();
  const order = useFleetOrder();
  return useFleetSelection(
    BOARD,
    useCallback(
      (store: FleetStore) =>
        boardOf(store.all("device"), order, filter, deviceType, accountUrgency(store), store.all("account")),
      [order, filter, deviceType],
    ),
    sameBoard,
  );
}

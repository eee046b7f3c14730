import type { FleetDeviceValue, FleetListValue } from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY } from "@mulkko/shared/live/fleet-keys";
import type { Timers } from "@mulkko/shared/rules/clock";
import { createTopics, type Topics } from "../live/topics.ts";
import { FLEET_KINDS, type FleetEntry, type FleetKind, type FleetValues } from "./fleet-values.ts";

/**
 * Least interval between updates of counts, orders and lists over the whole fleet, ms; a single row updates
 * at once.
 */
export const SETTLE_MS = 500;

/** Topics of a list over the fleet: all values of a kind, keys and names, or the status. */
export type FleetTopic = FleetKind | "names" | "status";

/** State of the fleet stream: loading, loaded, or refused with a code. */
export type FleetStatus = { state: "coming" } | { state: "here" } | { state: "refused"; code: string };

/** Loaded part of the fleet. */
export interface FleetLoading {
  readonly loaded: number;
  /** Null until the server reports the number. */
  readonly total: number | null;
}

/** Number of polled devices that have been asked. */
export type FleetAsked = NonNullable<FleetListValue["asked"]>;

type Maps = { [K in FleetKind]: Map<string, FleetValues[K]> };

/**
 * Current devices of all accounts in plain maps outside React, by full key. A row subscribes to its own key
 * and is notified once per frame. Lists over all devices are notified at a limited rate.
 */
export interface FleetStore extends Pick<Topics<FleetTopic>, "version" | "subscribe"> {
  get<K extends FleetKind>(kind: K, key: string): FleetValues[K] | undefined;
  /** Return the map of a kind; the object never changes, see its version. */
  all<K extends FleetKind>(kind: K): ReadonlyMap<string, FleetValues[K]>;
  status(): FleetStatus;
  /** Return the progress while parts are still missing on the server or here; null once all are loaded. */
  loading(): FleetLoading | null;
  /** Return the progress of polling the devices; null if all were polled or none is. */
  asking(): FleetAsked | null;
  apply(step: { readonly put: readonly FleetEntry[]; readonly remove: readonly string[] }): void;
  setStatus(status: FleetStatus): void;
  /** Drop everything when the last subscriber has left. */
  clear(): void;
}

const sameName = (a: FleetDeviceValue | undefined, b: FleetDeviceValue): boolean =>
  a !== undefined && a.name === b.name && a.username === b.username && a.account === b.account;

export function createFleetStore(timers: Timers): FleetStore {
  const maps: Maps = { device: new Map(), account: new Map(), command: new Map(), fleet: new Map() };
  const topics = createTopics<FleetTopic>();
  const due = new Set<FleetTopic>();
  let resting = false;
  let status: FleetStatus = { state: "coming" };

  const settle = () => {
    if (due.size === 0) {
      resting = false;
      return;
    }
    resting = true;
    timers.after(SETTLE_MS, settle);
    const changed = [...due];
    due.clear();
    topics.count(changed);
    topics.notify(changed);
  };
  const put = <K extends FleetKind>({ kind, key, value }: FleetEntry<K>) => {
    const map: Map<string, FleetValues[K]> = maps[kind];
    map.set(key, value);
  };

  return {
    get: (kind, key) => maps[kind].get(key),
    all: (kind) => maps[kind],
    status: () => status,
    loading() {
      if (status.state === "refused") return null;
      const list = maps.fleet.get(FLEET_LIST_KEY);
      const isRead = list === undefined || (list.total !== null && list.loaded >= list.total);
      if (status.state === "here" && isRead) return null;
      return { loaded: maps.device.size, total: list?.total ?? null };
    },
    asking() {
      const asked = maps.fleet.get(FLEET_LIST_KEY)?.asked;
      return asked && asked.answered < asked.of ? asked : null;
    },
    version: topics.version,
    subscribe: topics.subscribe,
    apply(step) {
      const keys: string[] = [];
      for (const entry of step.put) {
        if (entry.kind === "device" && !sameName(maps.device.get(entry.key), entry.value)) due.add("names");
        put(entry);
        due.add(entry.kind);
        keys.push(entry.key);
      }
      for (const key of step.remove) {
        for (const kind of FLEET_KINDS) {
          if (!maps[kind].delete(key)) continue;
          due.add(kind);
          if (kind === "device") due.add("names");
          keys.push(key);
        }
      }
      topics.notify(keys);
      if (!resting) settle();
    },
    setStatus(next) {
      if (JSON.stringify(next) === JSON.stringify(status)) return;
      status = next;
      due.add("status");
      if (!resting) settle();
    },
    clear() {
      for (const kind of FLEET_KINDS) {
        maps[kind].clear();
        due.add(kind);
      }
      due.add("names");
      status = { state: "coming" };
      due.add("status");
      if (!resting) settle();
    },
  };
}

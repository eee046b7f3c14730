import {
  FleetAccountValue,
  FleetAlarmValue,
  FleetCommandValue,
  FleetDeviceValue,
  FleetListValue,
} from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY } from "@mulkko/shared/live/fleet-keys";
import type { Timer, Timers } from "@mulkko/shared/rules/clock";
import { type Parsed, parse } from "@mulkko/shared/schema/parse";
import type { ExtraSubscription } from "../../live/connection.ts";
import { createKeyedStore, type Entry, type Place } from "../../live/keyed-store.ts";
import type { LiveClient } from "../../live/live-client.ts";
import { createStateStream, type NextFrame } from "../../live/state-stream.ts";

/** Needed part of the stream: `whole`, or only the sums of `fleet:list`, a few hundred bytes for any fleet. */
export type FleetPart = "whole" | "sums";

/**
 * Create the subscription of a part of the `fleet` stream. Every value is parsed before it enters the store.
 */
function createFleetStream(store: FleetStore, nextFrame: NextFrame, part: FleetPart): ExtraSubscription {
  const stream = createStateStream({
    nextFrame,
    flush: (keys, copy) => void store.applyRaw(keys, copy),
  });
  return {
    name: "fleet",
    keys: part === "sums" ? { track: [FLEET_LIST_KEY] } : {},
    position: stream.position,
    apply(message) {
      const step = stream.apply(message);
      // Wait for the flush of the received values, in the same frame.
      if (part === "whole" && stream.position.synced() && store.status().state !== "here") {
        nextFrame(() => {
          if (stream.position.synced()) store.setStatus({ state: "here" });
        });
      }
      return step;
    },
    refused: ({ code }) => store.setStatus({ state: "refused", code }),
  };
}

/**
 * Milliseconds for which the stream stays subscribed after the last page, so that the next admin page shows
 * at once.
 */
export const LINGER_MS = 30_000;

/**
 * Create the devices and alarms of all accounts, loaded while a page needs them. The connection carries the
 * stream once: whole while any user needs the whole.
 */
export function createFleet({
  connection,
  timers,
  nextFrame,
}: Pick<LiveClient, "connection" | "timers" | "nextFrame">) {
  const store = createFleetStore(timers);
  const users: Record<FleetPart, number> = { whole: 0, sums: 0 };
  let joined: { readonly part: FleetPart; readonly leave: () => void } | null = null;
  let leaving: Timer | null = null;
  const needed = (): FleetPart | null => (users.whole > 0 ? "whole" : users.sums > 0 ? "sums" : null);
  const join = (part: FleetPart | null) => {
    if (part === (joined?.part ?? null)) return;
    joined?.leave();
    store.clear();
    joined = part && { part, leave: connection.join(createFleetStream(store, nextFrame, part)) };
  };
  return {
    store,
    /** Subscribe to a part of the stream until every caller has called the returned function. */
    use(part: FleetPart = "whole") {
      users[part] += 1;
      if (needed() === "whole" || joined === null) {
        leaving?.cancel();
        leaving = null;
        join(needed());
      }
      return () => {
        users[part] -= 1;
        if (needed() === joined?.part || leaving !== null) return;
        leaving = timers.after(LINGER_MS, () => {
          leaving = null;
          join(needed());
        });
      };
    },
  };
}

/** One fleet for all pages; it lives as long as its client, so it belongs to one account. */
const fleets = new WeakMap<LiveClient, ReturnType<typeof createFleet>>();

export function fleetOf(client: LiveClient) {
  const known = fleets.get(client) ?? createFleet(client);
  fleets.set(client, known);
  return known;
}

/** Values of the `fleet` stream by kind of key. */
export interface FleetValues {
  device: FleetDeviceValue;
  account: FleetAccountValue;
  alarm: FleetAlarmValue;
  command: FleetCommandValue;
  /** State of the list itself, under a single key. */
  fleet: FleetListValue;
}
type FleetKind = keyof FleetValues;

const FLEET_KINDS: readonly FleetKind[] = ["device", "account", "alarm", "command", "fleet"];

/** Return the place of a key, whose id is the whole key; null for a kind that no page shows. */
function placeOf(key: string): Place<FleetKind> | null {
  const prefix = key.slice(0, key.indexOf(":"));
  const kind = FLEET_KINDS.find((known) => known === prefix);
  return kind === undefined ? null : { kind, id: key };
}

/** Parse a value with the schema of its kind; null if it does not match. */
function parseFleetValue({ kind, id }: Place<FleetKind>, raw: unknown): Entry<FleetValues> | null {
  const entry = <K extends FleetKind>(known: K, parsed: Parsed<FleetValues[K]>) =>
    parsed.ok ? { kind: known, id, value: parsed.value } : null;
  switch (kind) {
    case "device":
      return entry(kind, parse(FleetDeviceValue, raw));
    case "account":
      return entry(kind, parse(FleetAccountValue, raw));
    case "alarm":
      return entry(kind, parse(FleetAlarmValue, raw));
    case "command":
      return entry(kind, parse(FleetCommandValue, raw));
    case "fleet":
      return entry(kind, parse(FleetListValue, raw));
  }
}

/**
 * Least interval between updates of counts, orders and lists over the whole fleet, ms; a single row updates
 * at once.
 */
export const SETTLE_MS = 500;

/** Topics of a list over the fleet: all values of a kind, keys and names, or the status. */
export type FleetTopic = FleetKind | "names" | "status";

/** State of the fleet stream: loading, loaded, or refused with a code. */
export type FleetStatus = { state: "coming" } | { state: "here" } | { state: "refused"; code: string };

export type FleetStore = ReturnType<typeof createFleetStore>;

type FleetValue = FleetValues[FleetKind];

const isDevice = (value: FleetValue | undefined): value is FleetDeviceValue =>
  value !== undefined && "battery" in value;

const sameName = (a: FleetValue | undefined, b: FleetValue | undefined): boolean =>
  isDevice(a) && isDevice(b) && a.name === b.name && a.username === b.username && a.account === b.account;

/**
 * Create the store of the current devices of all accounts, by full key. A row subscribes to its own key and is
 * notified once per frame. Lists over all devices are notified at a limited rate.
 */
function createFleetStore(timers: Timers) {
  const store = createKeyedStore<FleetValues, FleetTopic>(
    { device: new Map(), account: new Map(), alarm: new Map(), command: new Map(), fleet: new Map() },
    {
      placeOf,
      keyOf: ({ id }) => id,
      parse: parseFleetValue,
      topicsOf: (kind, before, value) =>
        kind === "device" && !sameName(before, value) ? [kind, "names"] : [kind],
      pace: { timers, everyMs: SETTLE_MS },
    },
  );
  let status: FleetStatus = { state: "coming" };
  const list = () => store.get("fleet", FLEET_LIST_KEY);
  const setStatus = (next: FleetStatus) => {
    if (JSON.stringify(next) === JSON.stringify(status)) return;
    status = next;
    store.publish(["status"]);
  };

  return {
    ...store,
    status: () => status,
    /**
     * Return the progress while parts are still missing on the server or here; null once all are loaded.
     * `total` is null until the server reports the number.
     */
    loading() {
      if (status.state === "refused") return null;
      const { loaded = 0, total = null } = list() ?? {};
      const isRead = list() === undefined || (total !== null && loaded >= total);
      if (status.state === "here" && isRead) return null;
      return { loaded: store.all("device").size, total };
    },
    /** Return the progress of polling the devices; null if all were polled or none is. */
    asking() {
      const asked = list()?.asked;
      return asked && asked.answered < asked.of ? asked : null;
    },
    /** Return the sums over all accounts; undefined before they arrive. */
    list,
    setStatus,
    /** Drop everything: the last subscriber has left, or another part of the stream is loaded. */
    clear() {
      store.apply({ put: [], remove: FLEET_KINDS.flatMap((kind) => store.ids(kind)) });
      setStatus({ state: "coming" });
    },
  };
}

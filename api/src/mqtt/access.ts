import { parseDeviceTopic } from "@mulkko/shared/mqtt/topics";
import type { KnownValves } from "../devices/device-index.ts";
import { parseUplinkTopic } from "../ingest/lorawan/topics.ts";
import { mayValvesPublish, mayValvesSubscribe } from "../valves/drivers/drivers.ts";
import { MAX_FILTER_LENGTH, MAX_FILTER_LEVELS } from "./limits.ts";

/** Identity of a client of the embedded broker. */
export type Identity =
  | { readonly kind: "device"; readonly serial: number; readonly valves: KnownValves | null }
  /** Reads the API's messages only. */
  | { readonly kind: "relay" }
  /** Forwards messages of LoRaWAN devices, and may not subscribe. */
  | { readonly kind: "network-server" };

export const RELAY_USER = "relay";
export const NETWORK_SERVER_USER = "network-server";

/**
 * Decide if a client may publish to a topic. A device publishes `up`, `status`, its channels' `state` and its
 * valve firmware's topics, under its own serial or address. A network server publishes its events.
 */
export function mayPublish(identity: Identity, name: string): boolean {
  switch (identity.kind) {
    case "relay":
      return false;
    case "network-server":
      return parseUplinkTopic(name) !== null;
    case "device": {
      if (identity.valves && mayValvesPublish(identity.valves, name)) return true;
      const parsed = parseDeviceTopic(name);
      return parsed !== null && parsed.serial === String(identity.serial);
    }
  }
}

/** Filters under a device's serial: all, `up`, `status`, and its channels' states and commands. */
const DEVICE_FILTER = /^(?:#|up|status|ch\/(?:\+|[1-8])\/(?:#|state|cmd\/(?:#|\+|[a-z]{1,16})))$/;
const RELAY_FILTER =
  /^mulkko\/out\/(?:#|(?:\+|[^/+#]+)\/(?:#|\+|noti|changed|(?:sensor|channel)\/(?:#|\+|[^/+#]+)))$/;

/**
 * Decide if a client may subscribe. A device may use its own serial, the relay `mulkko/out`, a network server
 * nothing.
 */
export function maySubscribe(identity: Identity, filter: string): boolean {
  if (filter.length > MAX_FILTER_LENGTH || filter.split("/").length > MAX_FILTER_LEVELS) return false;
  switch (identity.kind) {
    case "relay":
      return RELAY_FILTER.test(filter);
    case "network-server":
      return false;
    case "device": {
      const own = `mulkko/${identity.serial}/`;
      if (filter.startsWith(own)) return DEVICE_FILTER.test(filter.slice(own.length));
      return identity.valves !== null && mayValvesSubscribe(identity.valves, filter);
    }
  }
}

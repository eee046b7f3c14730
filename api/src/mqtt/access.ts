import { parseDeviceTopic } from "@mulkko/shared/mqtt/topics";
import { hashSecret, isSecret } from "../accounts/key.ts";
import type { DeviceIndex, KnownValves } from "../devices/device-index.ts";
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

const RELAY_USER = "relay";
const NETWORK_SERVER_USER = "network-server";
const SERIAL = /^\d{1,15}$/;

/** Keys of the clients of the embedded broker. Undefined: that user does not exist. */
export interface BrokerKeys {
  readonly deviceIndex: DeviceIndex;
  readonly relayKey: string | undefined;
  readonly uplinkKey: string | undefined;
  /** Called for an unregistered serial. */
  readonly knocked: (serial: string) => void;
}

/** Return the client with this user name and password; null for any other. */
export type Identify = (username: string | undefined, password: Uint8Array | undefined) => Identity | null;

export function createIdentify({ deviceIndex, relayKey, uplinkKey, knocked }: BrokerKeys): Identify {
  const relayKeyHash = relayKey ? hashSecret(relayKey) : null;
  const uplinkKeyHash = uplinkKey ? hashSecret(uplinkKey) : null;
  return (username, password = new Uint8Array()) => {
    if (username === RELAY_USER) {
      return relayKeyHash && isSecret(password, relayKeyHash) ? { kind: "relay" } : null;
    }
    if (username === NETWORK_SERVER_USER) {
      return uplinkKeyHash && isSecret(password, uplinkKeyHash) ? { kind: "network-server" } : null;
    }
    if (!username || !SERIAL.test(username)) return null;
    const device = deviceIndex.bySerial(Number(username));
    if (!device) knocked(String(Number(username)));
    return device && isSecret(password, device.keyHash)
      ? { kind: "device", serial: device.serial, valves: device.valves }
      : null;
  };
}

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

import { parseDeviceTopic, topic } from "@mulkko/shared/mqtt/topics";
import type { KnownValves } from "../devices/directory.ts";
import { parseUplinkTopic } from "../uplinks/topics.ts";
import { mayValvesPublish, mayValvesSubscribe } from "../valve-drivers/drivers.ts";

/** Who is connected to the embedded broker. */
export type Identity =
  | { readonly kind: "device"; readonly serial: number; readonly valves: KnownValves | null }
  /** Reads what the API says, and nothing else. */
  | { readonly kind: "relay" }
  /** Hands on what LoRaWAN devices send, and hears nothing. */
  | { readonly kind: "network-server" };

export const RELAY_USER = "relay";
export const NETWORK_SERVER_USER = "network-server";

/**
 * A device says `up`, `status` and its channels' `state`, under its own serial, and what the firmware of its valves
 * says under its address; a network server its events.
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

/** A device hears what is under its own serial; the relay hears `mulkko/out`; a network server hears nothing. */
export function maySubscribe(identity: Identity, filter: string): boolean {
  switch (identity.kind) {
    case "relay":
      return filter === topic.outAll || /^mulkko\/out(\/[^#]+)?(\/#)?$/.test(filter);
    case "network-server":
      return false;
    case "device":
      return (
        filter.startsWith(`mulkko/${identity.serial}/`) ||
        (identity.valves !== null && mayValvesSubscribe(identity.valves, filter))
      );
  }
}

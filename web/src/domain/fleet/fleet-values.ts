import {
  FleetAccountValue,
  FleetCommandValue,
  FleetDeviceValue,
  FleetListValue,
} from "@mulkko/shared/live/fleet";
import { parse } from "@mulkko/shared/schema/parse";
import type { Entry, Place } from "../../live/keyed-store.ts";

/** Values of the `fleet` stream by kind of key. */
export interface FleetValues {
  device: FleetDeviceValue;
  account: FleetAccountValue;
  command: FleetCommandValue;
  /** State of the list itself, under a single key. */
  fleet: FleetListValue;
}
export type FleetKind = keyof FleetValues;

export const FLEET_KINDS: readonly FleetKind[] = ["device", "account", "command", "fleet"];

export type FleetEntry = Entry<FleetValues>;

/** Return the place of a key, whose id is the whole key; null for a kind that no page shows. */
export function placeOf(key: string): Place<FleetKind> | null {
  const prefix = key.slice(0, key.indexOf(":"));
  const kind = FLEET_KINDS.find((known) => known === prefix);
  return kind === undefined ? null : { kind, id: key };
}

/** Parse a value with the schema of its kind; null if it does not match. */
export function parseFleetValue({ kind, id }: Place<FleetKind>, raw: unknown): FleetEntry | null {
  switch (kind) {
    case "device": {
      const parsed = parse(FleetDeviceValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "account": {
      const parsed = parse(FleetAccountValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "command": {
      const parsed = parse(FleetCommandValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "fleet": {
      const parsed = parse(FleetListValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
  }
}

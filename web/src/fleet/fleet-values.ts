import {
  FleetAccountValue,
  FleetCommandValue,
  FleetDeviceValue,
  FleetListValue,
} from "@mulkko/shared/live/fleet";
import { parse } from "@mulkko/shared/schema/parse";

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

/** Parsed value with its full key. */
export type FleetEntry<K extends FleetKind = FleetKind> = {
  [P in K]: { kind: P; key: string; value: FleetValues[P] };
}[K];

/** Return the kind of a key; null for one that no page shows. */
export function kindOf(key: string): FleetKind | null {
  const prefix = key.slice(0, key.indexOf(":"));
  return FLEET_KINDS.find((kind) => kind === prefix) ?? null;
}

/** Parse a value with the schema of its kind; null if it does not match. */
export function parseFleetValue(kind: FleetKind, key: string, raw: unknown): FleetEntry | null {
  switch (kind) {
    case "device": {
      const parsed = parse(FleetDeviceValue, raw);
      return parsed.ok ? { kind, key, value: parsed.value } : null;
    }
    case "account": {
      const parsed = parse(FleetAccountValue, raw);
      return parsed.ok ? { kind, key, value: parsed.value } : null;
    }
    case "command": {
      const parsed = parse(FleetCommandValue, raw);
      return parsed.ok ? { kind, key, value: parsed.value } : null;
    }
    case "fleet": {
      const parsed = parse(FleetListValue, raw);
      return parsed.ok ? { kind, key, value: parsed.value } : null;
    }
  }
}

import { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { Watering } from "@mulkko/shared/live/watering";
import { parse } from "@mulkko/shared/schema/parse";

/** The kinds of keys that this client draws; keys of other kinds are left alone. */
export interface LiveValues {
  farm: FarmValue;
  sensor: SensorValue;
  controller: ControllerValue;
  channel: ChannelValue;
  watering: Watering;
  alarm: Alarm;
}
export type LiveKind = keyof LiveValues;

/** A value with its key taken apart. */
export type LiveEntry<K extends LiveKind = LiveKind> = {
  [P in K]: { kind: P; id: string; value: LiveValues[P] };
}[K];

export const LIVE_KINDS: readonly LiveKind[] = [
  "farm",
  "sensor",
  "controller",
  "channel",
  "watering",
  "alarm",
];

/**
 * Takes a key apart into its kind and the rest, which is the id (`channel:{sensorId}:{number}` keeps its number);
 * null for a kind that nobody draws.
 */
export function splitKey(key: string): { kind: LiveKind; id: string } | null {
  const colon = key.indexOf(":");
  const kind = LIVE_KINDS.find((known) => known === key.slice(0, colon));
  const id = key.slice(colon + 1);
  return kind === undefined || id === "" ? null : { kind, id };
}

/** Checks a value against the schema of its kind; null where it does not fit. */
export function parseValue(kind: LiveKind, id: string, raw: unknown): LiveEntry | null {
  switch (kind) {
    case "farm": {
      const parsed = parse(FarmValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "sensor": {
      const parsed = parse(SensorValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "controller": {
      const parsed = parse(ControllerValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "channel": {
      const parsed = parse(ChannelValue, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "watering": {
      const parsed = parse(Watering, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
    case "alarm": {
      const parsed = parse(Alarm, raw);
      return parsed.ok ? { kind, id, value: parsed.value } : null;
    }
  }
}

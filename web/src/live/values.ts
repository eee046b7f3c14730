import { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { Watering } from "@mulkko/shared/live/watering";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import { parse } from "@mulkko/shared/schema/parse";
import type { Static, TObject } from "typebox";

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

/** Kinds of things that lists show. */
const LISTED_KINDS = ["farm", "sensor", "controller"] as const;
type ListedKind = (typeof LISTED_KINDS)[number];

/** What a selection over many things follows: everything of a kind, or what lists draw of it. */
export type LiveTopic = LiveKind | `${ListedKind}.listing`;

export function isListedKind(kind: LiveKind): kind is ListedKind {
  return LISTED_KINDS.some((listed) => listed === kind);
}

const qualityOf = (value: LiveValues[ListedKind]) => ("quality" in value ? drawnQuality(value) : null);

/** True for values that a list draws alike: same info, same drawn quality. Readings and times are their own rows' affair. */
export function sameListing(before: LiveValues[LiveKind] | undefined, value: LiveValues[LiveKind]): boolean {
  if (!before || !("info" in before) || !("info" in value)) return false;
  if (qualityOf(before) !== qualityOf(value)) return false;
  // A patch leaves the info the same object; only a whole value brings a new one, mostly equal.
  return before.info === value.info || JSON.stringify(before.info) === JSON.stringify(value.info);
}

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

/**
 * True for a value that differs from a checked one in fields that are right as well. Interpreting a whole schema
 * takes longer than drawing what has changed, and a reading leaves the larger part of its value as it was.
 */
function isRightStill<S extends TObject>(
  schema: S,
  raw: RawValue,
  before: RawValue,
): raw is RawValue & Static<S> {
  return Object.entries(schema.properties).every(([name, property]) =>
    name in raw ? raw[name] === before[name] || parse(property, raw[name]).ok : !(name in before),
  );
}

type RawValue = Readonly<Record<string, unknown>>;

/**
 * Checks a value against the schema of its kind; null where it does not fit.
 *
 * @param before what was checked under this key last, if anything
 */
export function parseValue(kind: LiveKind, id: string, raw: unknown, before?: RawValue): LiveEntry | null {
  const check = <S extends TObject>(schema: S): Static<S> | null => {
    if (before !== undefined && isRaw(raw) && isRightStill(schema, raw, before)) return raw;
    const parsed = parse(schema, raw);
    return parsed.ok ? parsed.value : null;
  };
  switch (kind) {
    case "farm": {
      const value = check(FarmValue);
      return value && { kind, id, value };
    }
    case "sensor": {
      const value = check(SensorValue);
      return value && { kind, id, value };
    }
    case "controller": {
      const value = check(ControllerValue);
      return value && { kind, id, value };
    }
    case "channel": {
      const value = check(ChannelValue);
      return value && { kind, id, value };
    }
    case "watering": {
      const value = check(Watering);
      return value && { kind, id, value };
    }
    case "alarm": {
      const value = check(Alarm);
      return value && { kind, id, value };
    }
  }
}

const isRaw = (raw: unknown): raw is RawValue => typeof raw === "object" && raw !== null;

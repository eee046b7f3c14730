import { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { countedQuality } from "@mulkko/shared/live/value-age";
import { Watering } from "@mulkko/shared/live/watering";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import { parse } from "@mulkko/shared/schema/parse";
import type { Static, TObject } from "typebox";
import { createKeyedStore, type Entry, type KeyedStore, type Place, type RawValue } from "./keyed-store.ts";

/** The kinds of keys that this client shows; other kinds are ignored. */
export interface LiveValues {
  farm: FarmValue;
  sensor: SensorValue;
  controller: ControllerValue;
  channel: ChannelValue;
  watering: Watering;
  alarm: Alarm;
}
export type LiveKind = keyof LiveValues;

/** Kinds of objects that lists show. */
const LISTED_KINDS = ["farm", "sensor", "controller"] as const;
type ListedKind = (typeof LISTED_KINDS)[number];

/** Topic of a selection over many objects: everything of a kind, or its listing. */
export type LiveTopic = LiveKind | `${ListedKind}.listing`;

function isListedKind(kind: LiveKind): kind is ListedKind {
  return LISTED_KINDS.some((listed) => listed === kind);
}

const qualityOf = (value: LiveValues[ListedKind]) =>
  "quality" in value ? drawnQuality({ quality: countedQuality(value), link: value.link }) : null;

/**
 * Return true for values that look the same in a list: same info, same displayed quality. Rows follow
 * readings and times themselves.
 */
function sameListing(
  before: LiveValues[LiveKind] | undefined,
  value: LiveValues[LiveKind] | undefined,
): boolean {
  if (!before || !value || !("info" in before) || !("info" in value)) return false;
  if (qualityOf(before) !== qualityOf(value)) return false;
  // A patch keeps the same info object; only a whole value brings a new, mostly equal one.
  return before.info === value.info || JSON.stringify(before.info) === JSON.stringify(value.info);
}

export type LiveEntry<K extends LiveKind = LiveKind> = Entry<LiveValues, K>;

const LIVE_KINDS: readonly LiveKind[] = ["farm", "sensor", "controller", "channel", "watering", "alarm"];

/**
 * Split a key into its kind and its id (`channel:{sensorId}:{number}` keeps its number); null for an unknown
 * kind.
 */
export function splitKey(key: string): Place<LiveKind> | null {
  const colon = key.indexOf(":");
  const kind = LIVE_KINDS.find((known) => known === key.slice(0, colon));
  const id = key.slice(colon + 1);
  return kind === undefined || id === "" ? null : { kind, id };
}

/**
 * Return true if a value differs from a validated one only in valid fields. Validating a whole schema takes
 * longer than rendering the change, and a reading changes only a small part of its value.
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

/**
 * Validate a value against the schema of its kind; null if it does not match.
 *
 * @param before last validated value of this key, if any
 */
export function parseValue(kind: LiveKind, id: string, raw: unknown, before?: RawValue): LiveEntry | null {
  const entry = <K extends LiveKind>(known: K, value: LiveValues[K] | null) =>
    value === null ? null : { kind: known, id, value };
  const check = <S extends TObject>(schema: S): Static<S> | null => {
    if (before !== undefined && isRaw(raw) && isRightStill(schema, raw, before)) return raw;
    const parsed = parse(schema, raw);
    return parsed.ok ? parsed.value : null;
  };
  switch (kind) {
    case "farm":
      return entry(kind, check(FarmValue));
    case "sensor":
      return entry(kind, check(SensorValue));
    case "controller":
      return entry(kind, check(ControllerValue));
    case "channel":
      return entry(kind, check(ChannelValue));
    case "watering":
      return entry(kind, check(Watering));
    case "alarm":
      return entry(kind, check(Alarm));
  }
}

const isRaw = (raw: unknown): raw is RawValue => typeof raw === "object" && raw !== null;

/**
 * Current state of the farm. A bare kind (`sensor`) is the topic of all its keys; `sensor.listing` that of
 * keys, info and quality, not readings.
 */
export type LiveStore = KeyedStore<LiveValues, LiveTopic>;

export const createLiveStore = (): LiveStore =>
  createKeyedStore<LiveValues, LiveTopic>(
    {
      farm: new Map(),
      sensor: new Map(),
      controller: new Map(),
      channel: new Map(),
      watering: new Map(),
      alarm: new Map(),
    },
    {
      placeOf: splitKey,
      keyOf: ({ kind, id }) => `${kind}:${id}`,
      parse: ({ kind, id }, raw, before) => parseValue(kind, id, raw, before),
      topicsOf: (kind, before, value) =>
        isListedKind(kind) && !sameListing(before, value) ? [kind, `${kind}.listing`] : [kind],
    },
  );

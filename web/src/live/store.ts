import { createKeyedStore, type KeyedStore } from "./keyed-store.ts";
import {
  isListedKind,
  type LiveTopic,
  type LiveValues,
  parseValue,
  sameListing,
  splitKey,
} from "./values.ts";

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

import { channelKey, controllerKey, farmKey, sensorKey } from "./device-keys.ts";

type Id = string | number;

/** The parts of an account's live state that decide which device is on which farm. */
export interface FarmFacts {
  /** Farms by id, with the sensors that each lists. */
  readonly farms: Iterable<readonly [id: string, sensorIds: readonly Id[]]>;
  /** Controllers by id, with the farm that each names: null, undefined or 0 for none. */
  readonly controllers: Iterable<readonly [id: string, clusterId: Id | null | undefined]>;
  /** Channels by the id of their key: `{channelId}`, or `{sensorId}:{number}` of a COT sensor. */
  readonly channels: Iterable<
    readonly [id: string, channel: { readonly controllerId: Id; readonly sensorIds: readonly Id[] }]
  >;
}

/** Which device is on which farm. */
export interface FarmIndex {
  /**
   * Return the ids of the farms of a device or channel.
   *
   * @param key a key of the live state: `sensor:…`, `controller:…` or `channel:…`
   * @returns an empty list for a device on no farm, or one that is not known
   */
  of(key: string): readonly string[];
  /** Return the keys of a farm's sensors and controllers; an empty list for a farm that is not known. */
  membersOf(farmId: string): readonly string[];
}

const NONE: readonly string[] = [];

/**
 * Decide which device is on which farm (FARM-1).
 *
 * - A sensor is on the farms that list it; so are the channels of a COT sensor.
 * - A controller is on the farm that it names; a named farm that does not exist is no farm.
 * - A controller that names none is on the farms of its channels' sensors.
 * - A channel is on the farms of its controller.
 */
export function indexFarms({ farms, controllers, channels }: FarmFacts): FarmIndex {
  const farmsOf = new Map<string, readonly string[]>();
  const members = new Map<string, string[]>();
  const put = (key: string, ids: readonly string[]): void => {
    farmsOf.set(key, ids);
    for (const id of ids) members.get(id)?.push(key);
  };

  const ofSensor = new Map<string, string[]>();
  for (const [id, sensorIds] of farms) {
    members.set(id, []);
    for (const sensor of new Set(sensorIds.map(String))) {
      ofSensor.set(sensor, [...(ofSensor.get(sensor) ?? []), id]);
    }
  }
  for (const [id, ids] of ofSensor) put(sensorKey(id), ids);

  const sensorsOf = new Map<string, Set<string>>();
  const ownerOf = new Map<string, string>();
  for (const [id, { controllerId, sensorIds }] of channels) {
    // Controllers and sensors may have the same ids; only a COT sensor's channel carries its number in its id.
    if (id.includes(":")) {
      ownerOf.set(channelKey(id), sensorKey(controllerId));
      continue;
    }
    const owner = controllerKey(controllerId);
    ownerOf.set(channelKey(id), owner);
    const sensors = sensorsOf.get(owner) ?? new Set();
    sensorsOf.set(owner, sensors);
    for (const sensor of sensorIds) sensors.add(String(sensor));
  }
  for (const [id, clusterId] of controllers) {
    const key = controllerKey(id);
    const isNamed = clusterId !== null && clusterId !== undefined && String(clusterId) !== "0";
    const named = String(clusterId);
    if (isNamed) put(key, members.has(named) ? [named] : NONE);
    else
      put(key, [...new Set([...(sensorsOf.get(key) ?? [])].flatMap((sensor) => ofSensor.get(sensor) ?? []))]);
  }
  return {
    of: (key) => farmsOf.get(ownerOf.get(key) ?? key) ?? NONE,
    membersOf: (farmId) => members.get(farmId) ?? NONE,
  };
}

/** Return true if a change of this key's fields may move a device to another farm. */
export function movesBetweenFarms(
  key: string,
  fields: Readonly<Record<string, unknown>> | undefined,
): boolean {
  if (key.startsWith(farmKey(""))) return true;
  if (key.startsWith(channelKey(""))) return !fields || "sensorIds" in fields || "controllerId" in fields;
  return key.startsWith(controllerKey("")) && (!fields || "info" in fields);
}

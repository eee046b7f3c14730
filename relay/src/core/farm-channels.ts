import type { StateValue } from "../ports.ts";

/** What of an account's state says which channels a farm has. */
export interface AccountState {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;

/** Keys of all channels of an account, in their order. */
export function allChannels(state: AccountState): string[] {
  return [...state.keys()].filter((key) => key.startsWith("channel:")).sort();
}

/**
 * Keys of the channels that a farm has; null for a farm that the account does not have. A controller is of the
 * farm that it names (`controller-farm`), else of those of its channels' sensors, and then as a whole; a COT
 * sensor's channels are of the sensor's farm.
 */
export function channelsOfFarm(state: AccountState, farmId: string): string[] | null {
  const farm = state.get(`farm:${farmId}`);
  if (farm === undefined) return null;
  const sensors = new Set(textsOf(fieldOf(farm.info, "sensorIds")));
  const channels = allChannels(state).map((key) => {
    const value = state.get(key);
    return { key, device: String(value?.controllerId), sensorIds: textsOf(value?.sensorIds) };
  });
  const devices = new Set<string>();
  for (const { device, sensorIds } of channels) {
    if (sensors.has(device)) devices.add(device);
    const named = fieldOf(state.get(`controller:${device}`)?.info, "clusterId");
    const isNamed = named !== undefined && named !== null && String(named) !== "0";
    if (isNamed ? String(named) === farmId : sensorIds.some((id) => sensors.has(id))) devices.add(device);
  }
  return channels.filter(({ device }) => devices.has(device)).map(({ key }) => key);
}

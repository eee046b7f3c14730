import type { StateValue } from "../ports/streams.ts";
import { farmsOfChannels } from "./channel-farms.ts";

/** An account's state, as its writer holds it. */
export interface AccountState {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
}

/** Keys of all channels of an account, in their order. */
export function allChannels(state: AccountState): string[] {
  return [...state.keys()].filter((key) => key.startsWith("channel:")).sort();
}

/** Keys of the channels that are on a farm, in their order; null for a farm that the account does not have. */
export function channelsOfFarm(state: AccountState, farmId: string): string[] | null {
  if (state.get(`farm:${farmId}`) === undefined) return null;
  const values: Record<string, StateValue> = {};
  for (const key of state.keys()) values[key] = state.get(key) ?? {};
  const farms = farmsOfChannels(values);
  return allChannels(state).filter((key) => farms.of(key).includes(farmId));
}

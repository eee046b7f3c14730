import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { ValveStore } from "../durable.ts";
import { readJson } from "../json.ts";
import { STORE_LIMITS } from "../limits.ts";
import type { Argument } from "./connection.ts";
import { WRITE_VALVES } from "./durable-scripts.ts";
import type { Fenced } from "./fenced.ts";
import type { AccountKeys } from "./keys.ts";
import { putAhead } from "./put-ahead.ts";
import { asList, asNumber, asPairs, asText } from "./reply.ts";

/**
 * Create the durable store of an account's valves in Redis.
 * @param kept the stored intents, for a rewrite after a loss
 */
export function createRedisValveStore(
  names: AccountKeys,
  fenced: Fenced,
  kept: Map<string, object>,
  now: () => number,
): ValveStore {
  const since = async (hash: string, times: string, at: number): Promise<unknown[]> => {
    const ids = asList(
      await fenced.call("ZREVRANGEBYSCORE", times, "+inf", at, "LIMIT", 0, STORE_LIMITS.records),
    );
    if (ids.length === 0) return [];
    const texts = asList(await fenced.call("HMGET", hash, ...ids.map(asText).reverse()));
    return texts.map(readJson);
  };
  return {
    now,
    async write({ intents = [], commands = [], waterings = [] }) {
      const args: Argument[] = [names.accountId, now()];
      for (const { channelKey, intent } of intents) {
        if (intent === null) args.push("x", channelKey);
        else args.push("i", channelKey, JSON.stringify(intent));
      }
      for (const { commandId, at, record } of commands) args.push("c", commandId, at, JSON.stringify(record));
      for (const { id, at, watering } of waterings) args.push("w", id, at, JSON.stringify(watering));
      const { commandTimes, wateringTimes, intending } = names;
      const keys = [names.intents, names.commands, commandTimes, names.waterings, wateringTimes, intending];
      const changes = intents.map(({ channelKey, intent }) => [channelKey, intent] as const);
      await putAhead(kept, changes, () => fenced.run(WRITE_VALVES, keys, args));
    },
    async intents() {
      const pairs = asPairs(await fenced.call("HGETALL", names.intents));
      return pairs.map(([channelKey, text]) => ({ channelKey, intent: readJson(text) }));
    },
    async command(commandId) {
      const at = await fenced.call("ZSCORE", names.commandTimes, commandId);
      if (at === null || asNumber(at) < now() - STORE_LIMITS.commandsKeptMs) return undefined;
      return readJson(await fenced.call("HGET", names.commands, commandId));
    },
    commandsSince: (at) =>
      since(names.commands, names.commandTimes, Math.max(at, now() - STORE_LIMITS.commandsKeptMs)),
    wateringsSince: (at) =>
      since(names.waterings, names.wateringTimes, Math.max(at, now() - LIVE_LIMITS.eventsKeptMs)),
  };
}

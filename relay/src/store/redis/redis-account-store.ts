import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { ValveStore } from "../durable.ts";
import { readJson, settingsText } from "../json.ts";
import { STORE_LIMITS } from "../limits.ts";
import {
  type AccountStore,
  type Notified,
  PresenceFields,
  type StoredPresence,
  WatchedSpan,
} from "../store.ts";
import { type Argument, InDoubtError } from "./connection.ts";
import { CLAIM_UNIT, KEEP_PRESENCE, PUT, WRITE_ALARMS, WRITE_VALVES } from "./durable-scripts.ts";
import type { Fenced } from "./fenced.ts";
import type { AccountKeys } from "./keys.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { asList, asNumber, asPairs, asText } from "./script.ts";
import { LACKS, TOUCH } from "./stream-scripts.ts";
import { createDeviceWriter, createEventWriter, type StreamWriterDeps } from "./stream-writers.ts";

/**
 * Change a map while its stored mirror is written, and revert it if that fails. A rewrite after a loss may
 * come at any moment. It must restore neither what is being removed nor what was refused.
 * @param changes by key; null removes one
 */
export async function putAhead<T>(
  map: Map<string, T>,
  changes: readonly (readonly [key: string, value: T | null])[],
  write: () => Promise<unknown>,
): Promise<void> {
  const put = (key: string, value: T | null | undefined): void => {
    if (value === null || value === undefined) map.delete(key);
    else map.set(key, value);
  };
  const before = changes.map(([key]) => [key, map.get(key)] as const);
  for (const [key, value] of changes) put(key, value);
  try {
    await write();
  } catch (error) {
    for (const [key, value] of before) put(key, value);
    throw error;
  }
}

/**
 * Create the durable store of an account's valves in Redis.
 * @param kept the stored intents, for a rewrite after a loss
 */
function createRedisValveStore(
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

const NotifiedMark = Type.Object({ at: Type.Number(), keys: Type.Array(Type.String()) });
const JsonObject = Type.Object({});

/** The writer of one account, with what else its node needs. */
export interface RedisAccountStore extends AccountStore {
  /** Write the owner's data again after Redis has lost some (NODE-2). */
  recover(): Promise<void>;
}

/**
 * Texts that an account's owner has stored in Redis and would write again after a loss (NODE-2): few and
 * small, beside the streams, of which it has a copy anyway.
 */
interface StoredTexts {
  readonly intents: Map<string, object>;
  readonly alarms: Map<string, { readonly at: number; readonly alarm: object }>;
  settings: object | undefined;
  notified: Notified | undefined;
}

/** @param isWatched true if the account stays watched after a loss */
export async function createRedisAccountStore(
  deps: StreamWriterDeps,
  isWatched: () => boolean,
): Promise<RedisAccountStore> {
  const { names, fenced, clock, copy } = deps;
  const kept: StoredTexts = {
    intents: new Map(),
    alarms: new Map(),
    settings: undefined,
    notified: undefined,
  };
  const devices = createDeviceWriter(deps);
  let extendedAt = clock.monotonic();

  const restore = async (): Promise<void> => {
    await events.begin();
    await valves.write({
      intents: [...kept.intents].map(([channelKey, intent]) => ({ channelKey, intent })),
    });
    await alarms.write([...kept.alarms].map(([id, { at, alarm }]) => ({ id, at, alarm })));
    if (kept.settings) await settings.put(kept.settings);
    if (kept.notified) await store.keepNotified(kept.notified);
    if (isWatched()) await fenced.call("SADD", names.watched, names.accountId);
  };
  /**
   * True while other lost data is still to be written: once the epoch has begun, Redis no longer shows it.
   */
  let owed = false;
  const settle = async (): Promise<void> => {
    if (!owed) return;
    await restore();
    owed = false;
  };
  const begin = async (values: Parameters<AccountStore["beginEpoch"]>[0]): Promise<void> => {
    try {
      if (await devices.begin(values)) owed = true;
    } catch (error) {
      if (error instanceof InDoubtError) owed = true;
      throw error;
    }
    await settle();
  };
  const rewrite = (): Promise<void> => begin(copy.devices.values());
  const events = createEventWriter(deps, rewrite);
  /** Writes to the streams run one after the other: a rewrite must not undo a write in progress. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };
  const recover = async (): Promise<void> => {
    const { rest } = await fenced.run(LACKS, [], [fenced.replid()]);
    if (asNumber(rest[0]) === 1) await rewrite();
    else await settle();
  };
  const valves = createRedisValveStore(names, fenced, kept.intents, clock.now);

  const readAlarms = async (): Promise<{ id: string; at: number; alarm: unknown }[]> => {
    const times = asPairs(await fenced.call("ZRANGE", names.alarmTimes, 0, -1, "WITHSCORES"));
    if (times.length === 0) return [];
    const texts = asList(await fenced.call("HMGET", names.alarms, ...times.map(([id]) => id)));
    return times.map(([id, at], n) => ({ id, at: asNumber(at), alarm: readJson(texts[n]) }));
  };
  const alarms: AccountStore["alarms"] = {
    async write(entries) {
      if (entries.length === 0) return;
      const args = entries.flatMap(({ id, at, alarm }) => [
        id,
        at,
        alarm === null ? "-" : JSON.stringify(alarm),
      ]);
      const changes = entries.map(
        ({ id, at, alarm }) => [id, alarm === null ? null : { at, alarm }] as const,
      );
      await putAhead(kept.alarms, changes, () =>
        fenced.run(WRITE_ALARMS, [names.alarms, names.alarmTimes], args),
      );
    },
    async all() {
      return (await readAlarms()).map(({ id, alarm }) => ({ id, alarm }));
    },
  };
  const settings: AccountStore["settings"] = {
    async get() {
      return readJson(await fenced.call("GET", names.settings));
    },
    async put(chosen) {
      await fenced.run(PUT, [names.settings], [settingsText(chosen)]);
      kept.settings = chosen;
    },
  };
  /** Keep the streams of an account with a writer from expiring. */
  const touch = async (): Promise<void> => {
    if (clock.monotonic() - extendedAt < REDIS_LIMITS.touchMs) return;
    extendedAt = clock.monotonic();
    const streams = [names.values, names.index, names.tombstones, names.buried, names.events];
    await fenced.run(TOUCH, streams, [REDIS_LIMITS.streamKeptMs]);
  };

  const store: RedisAccountStore = {
    fence: fenced.fence,
    beginEpoch: (values) => inTurn(() => begin(values)),
    step: (step) =>
      inTurn(async () => {
        await settle();
        return devices.step(step);
      }),
    append: (event) =>
      inTurn(async () => {
        await settle();
        return events.append(event);
      }),
    recover: () => inTurn(recover),
    async claimUnit(unit) {
      await fenced.run(CLAIM_UNIT, [names.claims], [unit, clock.now()]);
      await touch();
    },
    async claims() {
      const pairs = asPairs(await fenced.call("ZRANGE", names.claims, 0, -1, "WITHSCORES"));
      return pairs.map(([unit, at]) => ({ unit, at: asNumber(at) }));
    },
    async notified() {
      const notified = parse(NotifiedMark, readJson(await fenced.call("GET", names.notified)));
      return notified.ok ? notified.value : null;
    },
    async keepNotified(notified) {
      await fenced.run(PUT, [names.notified], [JSON.stringify(notified)]);
      kept.notified = notified;
    },
    async watchedSpan() {
      const span = parse(WatchedSpan, readJson(await fenced.call("GET", names.watchedSpan)));
      return span.ok ? span.value : null;
    },
    async keepWatchedSpan(span) {
      await fenced.run(PUT, [names.watchedSpan], [JSON.stringify(span)]);
    },
    async presence() {
      const pairs = asPairs(await fenced.call("HGETALL", names.presence));
      return pairs.flatMap(([key, text]): StoredPresence[] => {
        const one = parse(PresenceFields, readJson(text));
        return one.ok ? [{ key, ...one.value }] : [];
      });
    },
    async keepPresence(entries) {
      const args = entries.flatMap(({ key, ...fields }) => [key, JSON.stringify(fields)]);
      if (args.length > 0) await fenced.run(KEEP_PRESENCE, [names.presence], args);
    },
    valves,
    alarms,
    settings,
  };

  // Data that this owner would write again after a loss: read at the start, even if it is never used.
  for (const { channelKey, intent } of await valves.intents()) {
    const one = parse(JsonObject, intent);
    if (one.ok) kept.intents.set(channelKey, one.value);
  }
  for (const { id, at, alarm } of await readAlarms()) {
    const one = parse(JsonObject, alarm);
    if (one.ok) kept.alarms.set(id, { at, alarm: one.value });
  }
  const chosen = parse(JsonObject, await settings.get());
  if (chosen.ok) kept.settings = chosen.value;
  kept.notified = (await store.notified()) ?? undefined;
  return store;
}

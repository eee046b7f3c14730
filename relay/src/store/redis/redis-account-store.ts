import { Documents } from "../documents.ts";
import type { AccountStore } from "../store.ts";
import { InDoubtError } from "./connection.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { OwnedTexts } from "./redis-documents.ts";
import { asNumber, asPairs } from "./script.ts";
import { CLAIM_UNIT, LACKS, TOUCH } from "./stream-scripts.ts";
import { createDeviceWriter, createEventWriter, type StreamWriterDeps } from "./stream-writers.ts";

/** The writer of one account, with what else its node needs. */
export interface RedisAccountStore extends AccountStore {
  /** Write the owner's data again after Redis has lost some (NODE-2). */
  recover(): Promise<void>;
}

/** @param isWatched true if the account stays watched after a loss */
export function createRedisAccountStore(deps: StreamWriterDeps, isWatched: () => boolean): RedisAccountStore {
  const { names, fenced, clock, copy } = deps;
  const texts = new OwnedTexts(names, fenced, clock.now);
  const devices = createDeviceWriter(deps);
  let extendedAt = clock.monotonic();

  const restore = async (): Promise<void> => {
    await events.begin();
    await texts.rewrite();
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
  /** Keep the streams of an account with a writer from expiring. */
  const touch = async (): Promise<void> => {
    if (clock.monotonic() - extendedAt < REDIS_LIMITS.touchMs) return;
    extendedAt = clock.monotonic();
    const streams = [names.values, names.index, names.tombstones, names.buried, names.events];
    await fenced.run(TOUCH, streams, [REDIS_LIMITS.streamKeptMs]);
  };

  return {
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
    documents: new Documents(texts),
  };
}

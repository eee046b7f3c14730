import type { Clock } from "@mulkko/shared/rules/clock";
import { createSemaphore } from "../../runtime/semaphore.ts";
import { StoreUnavailableError } from "../errors.ts";
import { type AccountCopy, createAccountCopy } from "./account-copy.ts";
import type { Connection } from "./connection.ts";
import type { RedisKeys } from "./keys.ts";
import { REDIS_LIMITS } from "./limits.ts";
import { asList, asNumber } from "./script.ts";
import { readPublication, readStreams } from "./stored-streams.ts";
import { READ } from "./stream-scripts.ts";
import type { Subscriber } from "./subscriber.ts";

/** The copies that this node holds (SUB-2). */
export interface Copies {
  /**
   * Return the account's copy, filled. It is held until each hold was released.
   * @param fresh fill it again even if it was filled before
   */
  hold(accountId: string, fresh?: boolean): Promise<AccountCopy>;
  letGo(accountId: string): void;
  /** Handle a message of a channel; return false if it is no account's channel. */
  received(channel: string, message: Buffer): boolean;
  /** Fill all copies, or that of one account, again: publications may have been missed. */
  refill(accountId?: string): void;
  /** LIVE-4: compare offsets with the store's, and fill the copies that are behind. */
  resync(): Promise<number>;
}

export interface CopiesDeps {
  readonly connection: Connection;
  readonly keys: RedisKeys;
  readonly clock: Clock;
  readonly subscriber: Pick<Subscriber, "subscribe" | "unsubscribe">;
  readonly isOwner: (accountId: string) => boolean;
  readonly onError: (error: unknown) => void;
}

interface Held {
  readonly accountId: string;
  readonly copy: AccountCopy;
  count: number;
}

export function createCopies(deps: CopiesDeps): Copies {
  const { connection, keys, clock, subscriber, isOwner } = deps;
  const byAccount = new Map<string, Held>();
  const byChannel = new Map<string, Held>();
  const few = createSemaphore(REDIS_LIMITS.accountsAtOnce, REDIS_LIMITS.accountsWaiting);
  // An outage of the store is reported by the store itself, and all copies are filled after it.
  const onError = (error: unknown): void => {
    if (!(error instanceof StoreUnavailableError)) deps.onError(error);
  };

  const create = (accountId: string): Held => {
    const names = keys.account(accountId);
    const { meta, values, index, tombstones, buried, events } = names;
    const copy = createAccountCopy({
      clock,
      async read() {
        const reply = await connection.run(READ, [meta, values, index, tombstones, buried, events]);
        return readStreams(reply, clock.now(), clock.monotonic());
      },
      isOwner: () => isOwner(accountId),
      onError,
    });
    const held: Held = { accountId, copy, count: 0 };
    byAccount.set(accountId, held);
    byChannel.set(names.channel, held);
    return held;
  };
  const letGo = (accountId: string): void => {
    const held = byAccount.get(accountId);
    if (!held) return;
    held.count -= 1;
    if (held.count > 0) return;
    const { channel } = keys.account(accountId);
    byAccount.delete(accountId);
    byChannel.delete(channel);
    subscriber.unsubscribe(channel);
  };
  const isBehind = async ({ accountId, copy }: Held): Promise<boolean> => {
    const [epoch, offset, eventEpoch, eventOffset] = asList(
      await connection.call("HMGET", keys.account(accountId).meta, "epoch", "offset", "eepoch", "eoffset"),
    );
    const { devices, events } = copy;
    const differs = (
      stream: { epoch: string; offset: number },
      storedEpoch: unknown,
      stored: unknown,
    ): boolean =>
      typeof storedEpoch === "string" && (storedEpoch !== stream.epoch || asNumber(stored) > stream.offset);
    return differs(devices.stream, epoch, offset) || differs(events.stream, eventEpoch, eventOffset);
  };

  return {
    async hold(accountId, fresh = false) {
      const held = byAccount.get(accountId) ?? create(accountId);
      held.count += 1;
      if (held.copy.filled && !fresh) return held.copy;
      try {
        await subscriber.subscribe(keys.account(accountId).channel);
        await held.copy.fill();
      } catch (error) {
        letGo(accountId);
        throw error;
      }
      return held.copy;
    },
    letGo,
    received(channel, message) {
      const held = byChannel.get(channel);
      if (!held) return false;
      const publication = readPublication(message);
      if (publication) held.copy.received(publication);
      return true;
    },
    refill(accountId) {
      for (const held of byAccount.values()) {
        if (accountId === undefined || held.accountId === accountId) few.pass(held.copy.fill).catch(onError);
      }
    },
    async resync() {
      const foreign = [...byAccount.values()].filter(
        ({ accountId, copy }) => copy.filled && !isOwner(accountId),
      );
      const behind = await Promise.all(
        foreign.map((held) =>
          few.pass(async () => {
            if (!(await isBehind(held))) return 0;
            await held.copy.fill();
            return 1;
          }),
        ),
      );
      return behind.reduce((sum: number, one) => sum + one, 0);
    },
  };
}

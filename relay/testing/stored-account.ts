import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import { flipAt, stepFrom } from "../src/store/contract.suite.ts";
import { StaleOwnerError } from "../src/store/errors.ts";
import { shardOf } from "../src/store/shard.ts";
import type { AccountStore, AccountStreams, Store } from "../src/store/store.ts";
import { type StateValue, stateOf } from "../src/store/streams.ts";
import { until } from "./until.ts";

/** An account in a store of one or several nodes, written by its present owner. */
export interface StoredAccount {
  /** The copy of the last node, which is not the owner's if there are several. */
  readonly streams: AccountStreams;
  /** Flush once. */
  change(set: Readonly<Record<string, StateValue>>, del?: string[]): Promise<void>;
  /** Log one event of the sensor with this number. */
  flip(n: number): Promise<void>;
  /** Write the owner's whole copy under a new epoch, as after a loss in Redis. */
  beginEpoch(values: Readonly<Record<string, StateValue>>): Promise<void>;
  /** Wait until the copy has reached the owner's offset. */
  level(): Promise<void>;
  readonly state: Readonly<Record<string, StateValue>>;
}

export async function openStoredAccount(
  id: string,
  clock: FakeClock,
  stores: readonly Store[],
): Promise<StoredAccount> {
  const last = stores.at(-1);
  if (!last) throw new Error("an account needs a store");
  let held: { account: AccountStore; streams: AccountStreams } | undefined;

  const claim = async (): Promise<NonNullable<typeof held>> => {
    const owner = stores.find(({ shards }) => shards.owns(shardOf(id)));
    if (!owner) throw new StaleOwnerError("the account has no owner at this moment");
    return { account: await owner.claim(id), streams: await owner.attach(id) };
  };
  /** Advanced time ends leases; the next owner continues. */
  const asOwner = async (work: (owner: NonNullable<typeof held>) => Promise<boolean>): Promise<void> => {
    await until(async () => {
      try {
        held ??= await claim();
        return await work(held);
      } catch (error) {
        if (!(error instanceof StaleOwnerError)) throw error;
        held = undefined;
        return false;
      }
    });
  };
  await asOwner(async () => true);
  const streams = await last.attach(id);
  return {
    streams,
    change: (set, del = []) =>
      asOwner(async (owner) => {
        const step = stepFrom(owner.streams.devices.offset, set, del);
        return (await owner.account.step(step)).kind === "written";
      }),
    flip: (n) =>
      asOwner(async ({ account }) => {
        await account.append(flipAt(clock.now(), `sensor:${n}`));
        return true;
      }),
    beginEpoch: (values) =>
      asOwner(async ({ account }) => {
        await account.beginEpoch(new Map(Object.entries(values)));
        return true;
      }),
    level: () =>
      until(
        () =>
          held !== undefined &&
          held.streams.devices.epoch === streams.devices.epoch &&
          held.streams.devices.offset === streams.devices.offset &&
          held.streams.events.offset === streams.events.offset,
      ),
    get state() {
      return stateOf(streams.devices);
    },
  };
}

import type { Beats } from "@mulkko/shared/rest/fleet";
import type { HeardMessage } from "../owner/owner.ts";
import type { Interest } from "../owner/viewers.ts";
import { logUnkept } from "../store/log-unkept.ts";
import { shardOf } from "../store/shard.ts";
import type { FleetBatch, FleetVerdict } from "./account-report.ts";
import { FLEET } from "./fleet-id.ts";
import { createFleetOwner, type FleetOwner, type FleetOwnerParts } from "./fleet-owner.ts";

/** The fleet's owner on this node, where its shard is this node's. It is at work while somebody looks. */
export interface LocalFleet {
  /**
   * Brings it to work. Rejects with an `UpstreamError` if the fleet cannot be read, with a `StaleOwnerError` if its
   * shard is another node's.
   *
   * @param token an administrator's
   */
  loaded(token: string): Promise<FleetOwner>;
  interest(from: {
    node: string;
    interest: Interest | null;
    tokens: readonly string[];
    forMs?: number;
  }): void;
  readonly atWork: boolean;
  /** Takes a node's batch where the fleet is at work; the answer says whether it is. */
  take(batch: FleetBatch): FleetVerdict;
  touched(): void;
  /** Judge the silence of all devices again. */
  review(): void;
  hear(message: HeardMessage): void;
  beats(token: string, ids: readonly string[]): Promise<Beats>;
  close(): Promise<void>;
}

export interface LocalFleetParts extends Omit<FleetOwnerParts, "onVerdict" | "node"> {
  /** Somebody looks at the fleet, or nobody any more. */
  readonly onVerdict: (verdict: FleetVerdict) => void;
}

/** ms that the fleet is kept after the last viewer has gone. */
const LINGER_MS = 60_000;
const NOBODY: FleetVerdict = { term: "", wanted: false };

interface Entry {
  readonly owner: Promise<FleetOwner>;
  made: FleetOwner | undefined;
  holds: number;
  linger: { cancel(): void } | undefined;
}

export function createLocalFleet(parts: LocalFleetParts): LocalFleet {
  const { store, timers, log, link, hearing } = parts;
  const shard = shardOf(FLEET);
  let entry: Entry | undefined;
  let closed = false;

  const verdict = (): FleetVerdict => entry?.made?.verdict ?? NOBODY;
  const failed = (error: unknown): void =>
    logUnkept(log, "error", { err: error }, "the fleet was not released");
  const release = async (one: Entry): Promise<void> => {
    one.linger?.cancel();
    if (entry === one) {
      entry = undefined;
      parts.onVerdict(NOBODY);
    }
    const owner = await one.owner.catch(() => undefined);
    await owner?.close();
  };
  const lingerOn = (one: Entry): void => {
    one.linger?.cancel();
    if (closed || entry !== one) return;
    one.linger = timers.after(LINGER_MS, () => {
      if (one.holds === 0 && one.made?.viewers === 0) release(one).catch(failed);
      else lingerOn(one);
    });
  };
  const entryOf = (): Entry => {
    if (entry) return entry;
    const onVerdict = (): void => {
      if (entry?.owner === owner) parts.onVerdict(verdict());
    };
    const onStale = (): void => {
      if (entry?.owner === owner) release(entry).catch(failed);
    };
    const owner = createFleetOwner({ ...parts, node: store.node.id, onVerdict }, onStale);
    const one: Entry = { owner, made: undefined, holds: 0, linger: undefined };
    entry = one;
    owner.then(
      (made) => {
        one.made = made;
        onVerdict();
      },
      () => {
        if (entry === one) entry = undefined;
      },
    );
    lingerOn(one);
    return one;
  };
  const loaded = async (token: string): Promise<FleetOwner> => {
    const one = entryOf();
    one.holds += 1;
    try {
      const owner = await one.owner;
      owner.lend(token);
      await owner.load();
      return owner;
    } finally {
      one.holds -= 1;
      lingerOn(one);
    }
  };

  let wasDown = link.state.upstream === "down";
  const stops = [
    store.shards.onChange(async (changed, owned) => {
      if (changed === shard && !owned && entry && store.available) await release(entry);
    }),
    store.onAvailable((available) => {
      if (available && entry && !store.shards.owns(shard)) release(entry).catch(failed);
    }),
    hearing.listen(() => entry?.made?.paceChanged()),
    link.listen((state) => {
      const isDown = state.upstream === "down";
      if (wasDown && !isDown) entry?.made?.reachable();
      wasDown = isDown;
    }),
  ];

  return {
    loaded,
    interest({ node, interest, tokens, forMs }) {
      if (!entry && interest === null) return;
      entryOf()
        .owner.then(async (owner) => {
          for (const token of tokens) owner.lend(token);
          owner.interest(node, interest, forMs);
          if (interest !== null) await owner.load();
        })
        .catch((error: unknown) =>
          log.debug({ err: error }, "the fleet that is looked at could not be read"),
        );
    },
    get atWork() {
      return entry?.made?.loaded ?? false;
    },
    take(batch) {
      const { term } = verdict();
      // What was meant for the owner before may lack its beginning.
      if (term !== "" && batch.term === term) entry?.made?.take(batch);
      return verdict();
    },
    touched: () => entry?.made?.touched(),
    review: () => entry?.made?.paceChanged(),
    hear: (message) => entry?.made?.hear(message),
    beats: async (token, ids) => (await loaded(token)).beats(ids),
    async close() {
      closed = true;
      for (const stop of stops) stop();
      if (entry) await release(entry);
    },
  };
}

import type { ActivityHistory } from "@mulkko/shared/rest/fleet";
import type { ReceivedMessage } from "../account/mqtt.ts";
import type { Interest } from "../account/viewers.ts";
import { logNotPersisted } from "../store/log-not-persisted.ts";
import { FLEET, shardOf } from "../store/shard.ts";
import type { FleetBatch, FleetVerdict } from "./account-report.ts";
import {
  createFleetOwner,
  type FleetOwner,
  type FleetOwnerDeps,
  type LearnedLastSeen,
} from "./fleet-owner.ts";

/** The fleet's owner on this node, if this node owns its shard. It is active while there are viewers. */
export interface LocalFleet {
  /**
   * Activate the owner. Rejects with an `UpstreamError` if the fleet cannot be read, and with a
   * `StaleOwnerError` if another node owns its shard.
   * @param token of an administrator
   */
  loaded(token: string): Promise<FleetOwner>;
  interest(from: {
    node: string;
    interest: Interest | null;
    tokens: readonly string[];
    forMs?: number;
  }): void;
  readonly atWork: boolean;
  /** Apply a node's batch if the fleet is active, and return the verdict. */
  handleBatch(batch: FleetBatch): FleetVerdict;
  noteWrite(): void;
  /** Evaluate the silence of all devices again. */
  review(): void;
  handleMessage(message: ReceivedMessage): void;
  beats(token: string, ids: readonly string[]): Promise<ActivityHistory>;
  close(): Promise<void>;
}

export interface LocalFleetDeps extends Omit<FleetOwnerDeps, "onVerdict" | "node" | "learned"> {
  /** Called when the first viewer arrives or the last one leaves. */
  readonly onVerdict: (verdict: FleetVerdict) => void;
}

/** ms for which the fleet stays active after the last viewer. */
const LINGER_MS = 60_000;
const NO_VIEWERS: FleetVerdict = { term: "", wanted: false };

interface Entry {
  readonly owner: Promise<FleetOwner>;
  made: FleetOwner | undefined;
  holds: number;
  linger: { cancel(): void } | undefined;
}

export function createLocalFleet(deps: LocalFleetDeps): LocalFleet {
  const { store, timers, log, link, mqttCoverage } = deps;
  const shard = shardOf(FLEET);
  const learned: LearnedLastSeen = new Map();
  let entry: Entry | undefined;
  let closed = false;

  const verdict = (): FleetVerdict => entry?.made?.verdict ?? NO_VIEWERS;
  const failed = (error: unknown): void =>
    logNotPersisted(log, "error", { event: "fleet-not-released", err: error }, "cannot release fleet");
  const release = async (one: Entry): Promise<void> => {
    one.linger?.cancel();
    if (entry === one) {
      entry = undefined;
      deps.onVerdict(NO_VIEWERS);
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
      if (entry?.owner === owner) deps.onVerdict(verdict());
    };
    const onStale = (): void => {
      if (entry?.owner === owner) release(entry).catch(failed);
    };
    const owner = createFleetOwner({ ...deps, node: store.node.id, onVerdict, learned }, onStale);
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
    mqttCoverage.listen(() => entry?.made?.paceChanged()),
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
          log.debug({ event: "fleet-unreadable", err: error }, "cannot read fleet for its viewers"),
        );
    },
    get atWork() {
      return entry?.made?.loaded ?? false;
    },
    handleBatch(batch) {
      const { term } = verdict();
      // A batch for the previous owner may lack the complete reports that this owner needs.
      if (term !== "" && batch.term === term) entry?.made?.handleBatch(batch);
      return verdict();
    },
    noteWrite: () => entry?.made?.noteWrite(),
    review: () => entry?.made?.paceChanged(),
    handleMessage: (message) => entry?.made?.handleMessage(message),
    beats: async (token, ids) => (await loaded(token)).beats(ids),
    async close() {
      closed = true;
      for (const stop of stops) stop();
      if (entry) await release(entry);
    },
  };
}

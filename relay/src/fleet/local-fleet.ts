import type { ActivityHistory } from "@mulkko/shared/rest/fleet";
import type { ReceivedMessage } from "../account/mqtt.ts";
import type { Interest } from "../account/viewers.ts";
import { createHeld, type Held } from "../runtime/held.ts";
import { notPersisted } from "../store/errors.ts";
import { FLEET, shardOf } from "../store/shard.ts";
import { onReachableAgain } from "../upstream/link-monitor.ts";
import type { LearnedLastSeen } from "./asked-devices.ts";
import { FleetOwner, type FleetOwnerDeps, type FleetOwnerEvents } from "./fleet-owner.ts";
import { type FleetBatch, type FleetVerdict, NOT_WANTED } from "./reports.ts";

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
  handleMessage(message: ReceivedMessage): void;
  beats(token: string, ids: readonly string[]): Promise<ActivityHistory>;
  close(): Promise<void>;
}

/**
 * @param onVerdict called when the first viewer arrives or the last one leaves
 */
export function createLocalFleet(
  deps: FleetOwnerDeps,
  onVerdict: (verdict: FleetVerdict) => void,
  onAccountChanged: FleetOwnerEvents["onAccountChanged"],
): LocalFleet {
  const { store } = deps;
  const { timers, log } = deps.runtime;
  const { link, reception } = deps.upstream;
  const shard = shardOf(FLEET);
  const learned: LearnedLastSeen = new Map();
  let held: Held<FleetOwner> | undefined;

  const verdict = (): FleetVerdict => held?.made?.verdict ?? NOT_WANTED;
  const onError = notPersisted(log, "error", { event: "fleet-not-released" }, "cannot release fleet");
  const hold = (): Held<FleetOwner> => {
    if (held) return held;
    const report = (): void => {
      if (held === fresh) onVerdict(verdict());
    };
    const fresh: Held<FleetOwner> = createHeld({
      create: () =>
        FleetOwner.claim(deps, learned, {
          onStale: () => void fresh.close().catch(onError),
          onVerdict: report,
          onAccountChanged,
        }),
      isNeeded: (owner) => owner.viewers > 0,
      onGone() {
        if (held !== fresh) return;
        held = undefined;
        onVerdict(NOT_WANTED);
      },
      onError,
      timers,
    });
    held = fresh;
    fresh.created.then(report, () => undefined);
    return fresh;
  };
  const loaded = (token: string): Promise<FleetOwner> =>
    hold().use(async (owner) => {
      owner.lend(token);
      await owner.load();
      return owner;
    });

  const stops = [
    store.shards.onChange(async (changed, owned) => {
      if (changed === shard && !owned && store.available) await held?.close();
    }),
    store.onAvailable((available) => {
      if (available && !store.shards.owns(shard)) held?.close().catch(onError);
    }),
    reception.listen(() => held?.made?.paceChanged()),
    onReachableAgain(link, () => held?.made?.reachable()),
  ];

  return {
    loaded,
    interest({ node, interest, tokens, forMs }) {
      if (!held && interest === null) return;
      hold()
        .created.then(async (owner) => {
          for (const token of tokens) owner.lend(token);
          owner.interest(node, interest, forMs);
          if (interest !== null) await owner.load();
        })
        .catch((error: unknown) =>
          log.debug({ event: "fleet-unreadable", err: error }, "cannot read fleet for its viewers"),
        );
    },
    get atWork() {
      return held?.made?.loaded ?? false;
    },
    handleBatch(batch) {
      const { term } = verdict();
      // A batch for the previous owner may lack the complete reports that this owner needs.
      if (term !== "" && batch.term === term) held?.made?.handleBatch(batch);
      return verdict();
    },
    noteWrite: () => held?.made?.noteWrite(),
    handleMessage: (message) => held?.made?.handleMessage(message),
    beats: async (token, ids) => (await loaded(token)).beats(ids),
    async close() {
      for (const stop of stops) stop();
      await held?.close();
    },
  };
}

import { randomUUID } from "node:crypto";
import { apiPath } from "@mulkko/shared/rest/routes";
import { FleetVerdict } from "../fleet/account-report.ts";
import { FLEET } from "../fleet/fleet-id.ts";
import { startFleetWatch } from "../fleet/fleet-watch.ts";
import { createLocalFleet } from "../fleet/local-fleet.ts";
import { createNodeFeed } from "../fleet/node-feed.ts";
import { createLocalOwners, type LocalOwnersParts } from "../owner/local-owners.ts";
import { createStorageDoubt } from "../sources/storage-doubt.ts";
import { shardOf } from "../store/shard.ts";
import { createAccountCommands } from "../upstream/account-commands.ts";
import { createCalls } from "./calls.ts";
import { createOwners, type OwnersDesk } from "./owners.ts";
import { shareRevocations } from "./revocations.ts";
import type { Seal } from "./seal.ts";
import { createWatchDesk } from "./watch-desk.ts";
import { takeWork } from "./work.ts";

export type NodeOwnersParts = Omit<LocalOwnersParts, "fleet" | "doubts"> & { readonly seal: Seal };

/** ms within which the fleet's owner has to answer a batch. */
const TELL_WITHIN_MS = 4_000;

/** Everything of a node that has to do with owners: those here, and the ways to and from those elsewhere. */
export function createNodeOwners(given: NodeOwnersParts): OwnersDesk {
  const { store, clock, timers, log, seal } = given;
  const doubt = createStorageDoubt({
    link: given.link,
    clock,
    timers,
    onChanged() {
      local.review();
      fleet.review();
    },
  });
  const parts = { ...given, doubts: doubt.doubts };
  const { inbox, node } = store;
  const calls = createCalls({ inbox, node, clock, timers, log, newId: randomUUID });
  const isFleetHere = (): boolean => store.shards.owns(shardOf(FLEET));
  const feed = createNodeFeed({
    node: node.id,
    isHere: isFleetHere,
    alone: store.kind === "embedded",
    send: async (batch) =>
      isFleetHere()
        ? fleet.take(batch)
        : calls.ask(FLEET, { do: "fleet-tell", batch }, FleetVerdict, TELL_WITHIN_MS),
    clock,
    timers,
    log,
  });
  const local = createLocalOwners({ ...parts, fleet: feed });
  const fleet = createLocalFleet({
    ...parts,
    onVerdict: feed.heard,
    // Whatever it was, the account's lists say it.
    onTouched: (accountId) => {
      owners.touched(accountId, apiPath.adminSensors);
      owners.touched(accountId, apiPath.controllers);
    },
  });
  const stopWork = takeWork({ local, fleet, inbox, node, seal, log });
  const stopSharing = shareRevocations({ prover: parts.prover, node, seal, clock, log });
  const direct = createAccountCommands({ ...parts, credentials: null });
  const watch = createWatchDesk({ store, local, calls, seal });
  const owners = createOwners({
    store,
    local,
    localFleet: fleet,
    calls,
    seal,
    clock,
    timers,
    log,
    direct,
    watch,
  });
  const stopWatching = startFleetWatch({
    accounts: local.withOwnSession,
    ownToken: owners.ownToken,
    fleet: owners.fleet,
    client: parts.client,
    capabilities: parts.capabilities,
    clock,
    timers,
    log,
  });
  return {
    ...owners,
    async close() {
      stopWatching();
      doubt.close();
      feed.close();
      await owners.close();
      stopWork();
      stopSharing();
    },
  };
}

import { randomUUID } from "node:crypto";
import { apiPath } from "@mulkko/shared/rest/routes";
import { startFleetWatch } from "../fleet/fleet-watch.ts";
import { createLocalFleet } from "../fleet/local-fleet.ts";
import { createNodeReporter } from "../fleet/reporter.ts";
import { FleetVerdict } from "../fleet/reports.ts";
import { FLEET } from "../store/shard.ts";
import { createAccountCommands } from "../upstream/account-commands.ts";
import type { TokenCipher } from "../upstream/token-cipher.ts";
import { createLocalOwners, type LocalOwnersDeps, type OnReading } from "./local-owners.ts";
import { createOwners, type OwnersDeps, type OwnersService } from "./owners.ts";
import { createPeers } from "./peers.ts";
import { shareRevocations } from "./revocations.ts";
import { createServiceWithoutStore } from "./service-without-store.ts";
import { handleWork } from "./work.ts";

export interface NodeOwnersDeps extends Omit<LocalOwnersDeps, "fleet"> {
  /** Encrypts tokens for other nodes. */
  readonly cipher: TokenCipher;
}

/** ms within which the fleet's owner has to answer a batch. */
const ANSWER_WITHIN_MS = 4_000;

/** Create the owners of a node: those here, and the connections to and from those on other nodes. */
export function createNodeOwners(deps: NodeOwnersDeps, onReading: OnReading): OwnersService {
  const { store, cipher } = deps;
  const { clock, timers, log } = deps.runtime;
  const { client, capabilities, prover, clock: upstreamClock } = deps.upstream;
  const { inbox, node } = store;
  const peers = createPeers({ store, cipher, clock, timers, log, newId: randomUUID });
  const isFleetHere = (): boolean => peers.isHere(FLEET);
  const reporter = createNodeReporter({
    node: node.id,
    isHere: isFleetHere,
    send: async (batch) =>
      isFleetHere()
        ? fleet.handleBatch(batch)
        : peers.ask(FLEET, { do: "fleet-tell", batch }, FleetVerdict, ANSWER_WITHIN_MS),
    clock,
    timers,
    log,
  });
  const local = createLocalOwners({ ...deps, fleet: reporter }, onReading);
  const fleet = createLocalFleet(deps, reporter.applyVerdict, (accountId) => {
    // The account's lists contain the change, whichever it was.
    owners.changed(accountId, apiPath.adminSensors);
    owners.changed(accountId, apiPath.controllers);
  });
  const stopWork = handleWork({ local, fleet, inbox, node, cipher, log });
  const stopSharing = shareRevocations({ prover, node, cipher, clock, log });
  // Sends to the farm API with a person's own token.
  const upstream = createAccountCommands({ client, capabilities, credentials: null, prover, upstreamClock });
  const storeless: OwnersDeps["storeless"] = (state) => createServiceWithoutStore({ upstream, state, log });
  const owners = createOwners({ store, local, localFleet: fleet, peers, storeless, clock, timers });
  const stopWatching = startFleetWatch({
    ...{ accounts: local.withOwnSession, owners, client, capabilities },
    ...{ clock, timers, log },
  });
  return {
    ...owners,
    async close() {
      stopWatching();
      reporter.close();
      await owners.close();
      stopWork();
      stopSharing();
    },
  };
}

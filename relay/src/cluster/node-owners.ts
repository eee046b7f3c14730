import { randomUUID } from "node:crypto";
import { adminSensorUpdate } from "@mulkko/shared/rest/operations/admin";
import { controllerAdd } from "@mulkko/shared/rest/operations/controllers";
import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import { parse } from "@mulkko/shared/schema/parse";
import { createAccountCommands } from "../access/account-commands.ts";
import type { TokenProver } from "../access/token-prover.ts";
import type { TokenCipher } from "../access/vault.ts";
import { startFleetWatch } from "../fleet/fleet-watch.ts";
import { createLocalFleet } from "../fleet/local-fleet.ts";
import { createNodeReporter } from "../fleet/reporter.ts";
import { WatchRoster } from "../fleet/watch-roster.ts";
import type { Log } from "../runtime/log.ts";
import { FLEET } from "../store/shard.ts";
import type { NodeMessages } from "../store/store.ts";
import type { RelayKey } from "../upstream/relay-key.ts";
import { LocalOwners, type LocalOwnersDeps, type OnReading } from "./local-owners.ts";
import { FLEET_CALLS, NodeMessage } from "./messages.ts";
import { createOwners, type OwnersDeps, type OwnersService } from "./owners.ts";
import { createPeers } from "./peers.ts";
import { createServiceWithoutStore } from "./service-without-store.ts";
import { handleWork } from "./work.ts";

interface RevocationDeps {
  readonly prover: Pick<TokenProver, "reject" | "onRejected" | "doubt" | "onDoubted">;
  readonly node: NodeMessages;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly log: Log;
}

/** Most tokens that one node reports in a window. More are guesses, and tokens expire by themselves. */
const MOST_PER_WINDOW = 500;
const WINDOW_MS = 10_000;

/** Share revoked tokens between nodes (AUTH-4). Return a function to stop. */
function shareRevocations({ prover, node, cipher, clock, log }: RevocationDeps): () => void {
  const rate = createRateLimit(clock, WINDOW_MS);
  /** True while a message of another node is applied, which is not sent on. */
  let isApplying = false;

  const share = (message: object): void => {
    if (isApplying || rate.refuses("recheck", MOST_PER_WINDOW) !== null) return;
    node
      .sendToOthers(message)
      .catch((error: unknown) =>
        log.debug(
          { event: "token-revocation-not-sent", err: error },
          "cannot send token revocation to other nodes",
        ),
      );
  };
  const apply = (act: () => void): void => {
    isApplying = true;
    try {
      act();
    } finally {
      isApplying = false;
    }
  };
  const stops = [
    prover.onRejected((token) => share({ kind: "rejected", token: cipher.encrypt(token) })),
    prover.onDoubted((accountId) => share({ kind: "doubted", accountId })),
    node.onMessage((message) => {
      const parsed = parse(NodeMessage, message);
      if (!parsed.ok) return;
      if (parsed.value.kind === "doubted") {
        const { accountId } = parsed.value;
        apply(() => prover.doubt(accountId));
      } else if (parsed.value.kind === "rejected") {
        const token = cipher.open(parsed.value.token);
        if (token !== null) apply(() => prover.reject(token));
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

export interface NodeOwnersDeps extends Omit<LocalOwnersDeps, "fleet"> {
  /** Encrypts tokens for other nodes. */
  readonly cipher: TokenCipher;
  readonly relayKey: RelayKey;
}

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
      isFleetHere() ? fleet.handleBatch(batch) : peers.methods(FLEET_CALLS, FLEET).handleBatch({ batch }),
    clock,
    timers,
    log,
  });
  const local = new LocalOwners({ ...deps, fleet: reporter }, onReading);
  const roster = new WatchRoster({
    ...{ client, capabilities, relayKey: deps.relayKey, isHere: isFleetHere, clock, timers, log },
    watch: { request: (accountId, action) => owners.watch.request(accountId, action) },
    begin: (accountId) => owners.watch.begin(accountId),
  });
  const fleet = createLocalFleet({ ...deps, roster }, reporter.applyVerdict, (accountId) => {
    // The account's lists contain the change, whichever it was.
    owners.changed(accountId, adminSensorUpdate.path);
    owners.changed(accountId, controllerAdd.path);
  });
  const stopWork = handleWork({ local, fleet, inbox, node, cipher, log });
  const stopSharing = shareRevocations({ prover, node, cipher, clock, log });
  // Sends to the farm API with a person's own token.
  const upstream = createAccountCommands({ client, capabilities, credentials: null, prover, upstreamClock });
  const storeless: OwnersDeps["storeless"] = (state) => createServiceWithoutStore({ upstream, state, log });
  const owners = createOwners({ store, local, localFleet: fleet, peers, storeless, clock, timers });
  const stopWatching = startFleetWatch({
    ...{ accounts: () => local.withOwnSession(), owners, client, capabilities },
    ...{ clock, timers, log },
  });
  return {
    ...owners,
    async close() {
      roster.close();
      stopWatching();
      reporter.close();
      await owners.close();
      stopWork();
      stopSharing();
    },
  };
}

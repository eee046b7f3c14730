import { randomUUID } from "node:crypto";
import { createLocalOwners, type LocalOwnersParts } from "../owner/local-owners.ts";
import { createAccountCommands } from "../upstream/account-commands.ts";
import { createCalls } from "./calls.ts";
import { createOwners, type OwnersDesk } from "./owners.ts";
import { shareRevocations } from "./revocations.ts";
import type { Seal } from "./seal.ts";
import { createWatchDesk } from "./watch-desk.ts";
import { takeWork } from "./work.ts";

/** Everything of a node that has to do with owners: those here, and the ways to and from those elsewhere. */
export function createNodeOwners(parts: LocalOwnersParts & { readonly seal: Seal }): OwnersDesk {
  const { store, clock, timers, log, seal } = parts;
  const { inbox, node } = store;
  const local = createLocalOwners(parts);
  const calls = createCalls({ inbox, node, clock, timers, log, newId: randomUUID });
  const stopWork = takeWork({ local, inbox, node, seal, log });
  const stopSharing = shareRevocations({ prover: parts.prover, node, seal, clock, log });
  const direct = createAccountCommands({ ...parts, credentials: null });
  const watch = createWatchDesk({ store, local, calls, seal });
  const owners = createOwners({ store, local, calls, seal, clock, timers, log, direct, watch });
  return {
    ...owners,
    async close() {
      await owners.close();
      stopWork();
      stopSharing();
    },
  };
}

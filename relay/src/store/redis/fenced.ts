import { StaleOwnerError, StoreUnavailableError } from "../errors.ts";
import type { Argument, Connection } from "./connection.ts";
import type { AccountKeys } from "./keys.ts";
import type { Leases } from "./leases.ts";
import { asList, asText } from "./reply.ts";
import type { Script } from "./script.ts";

/** Runs scripts under an account's fence. */
export interface Fenced {
  /**
   * @returns what the script answered after its first word, and that word
   * @throws StaleOwnerError if the shard, or the account, is somebody else's by now
   */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
  ): Promise<{ word: string; rest: unknown[] }>;
}

export interface FencedParts {
  readonly accountId: string;
  readonly names: AccountKeys;
  readonly connection: Connection;
  readonly leases: Leases;
  readonly claim: number;
  /** Throws once this node has claimed the account anew, or let it go. */
  readonly check: () => void;
}

/** Times that a script is run again because its lease had ended and was held on. */
const AGAIN = 1;

export function createFenced({ accountId, names, connection, leases, claim, check }: FencedParts): Fenced {
  const stale = (): StaleOwnerError =>
    new StaleOwnerError(
      `Account ${accountId}, of shard ${names.shard}, is somebody else's: fence ${claim} is stale.`,
    );
  return {
    async run(script, keys, args) {
      for (let n = 0; n <= AGAIN; n += 1) {
        check();
        const holder = leases.holder(names.shard);
        if (holder === undefined) throw stale();
        const reply = await connection.run(
          script,
          [names.lease, names.meta, ...keys],
          [holder, claim, ...args],
        );
        const [first, ...rest] = asList(reply);
        const word = asText(first);
        if (word === "stale") {
          // The lease may have been taken anew by this very node meanwhile.
          if (leases.holder(names.shard) === holder && !(await leases.confirm(names.shard))) {
            leases.lost(names.shard);
          }
          throw stale();
        }
        if (word !== "free") return { word, rest };
        if (!(await leases.hold(names.shard))) throw stale();
      }
      throw new StoreUnavailableError(`The lease on shard ${names.shard} ends as soon as it is held.`);
    },
  };
}

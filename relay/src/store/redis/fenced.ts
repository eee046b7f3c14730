import { StaleOwnerError, StoreUnavailableError } from "../errors.ts";
import type { Argument, Connection } from "./connection.ts";
import type { AccountKeys } from "./keys.ts";
import type { Leases } from "./leases.ts";
import { asList, asText } from "./reply.ts";
import type { Script } from "./script.ts";

/** Runs scripts under an account's fence. */
export interface Fenced {
  /**
   * Run a script under the fence.
   * @returns the script's status word, and the rest of its answer
   * @throws StaleOwnerError if another node owns the shard or the account by now
   */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
  ): Promise<{ word: string; rest: unknown[] }>;
}

export interface FencedDeps {
  readonly accountId: string;
  readonly names: AccountKeys;
  readonly connection: Connection;
  readonly leases: Leases;
  readonly claim: number;
  /** Throws once this node has claimed the account again, or released it. */
  readonly check: () => void;
}

/** Times a script is run again after its expired lease was renewed. */
const AGAIN = 1;

export function createFenced({ accountId, names, connection, leases, claim, check }: FencedDeps): Fenced {
  const stale = (): StaleOwnerError =>
    new StaleOwnerError(
      `Account ${accountId}, of shard ${names.shard}, belongs to another owner: fence ${claim} is stale.`,
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
          // This node may have acquired the lease again meanwhile.
          if (leases.holder(names.shard) === holder && !(await leases.confirm(names.shard))) {
            leases.lost(names.shard);
          }
          throw stale();
        }
        if (word !== "free") return { word, rest };
        if (!(await leases.hold(names.shard))) throw stale();
      }
      throw new StoreUnavailableError(`The lease on shard ${names.shard} ended right after its renewal.`);
    },
  };
}

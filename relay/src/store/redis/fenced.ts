import { StaleOwnerError, StoreUnavailableError } from "../errors.ts";
import type { Argument, Connection } from "./connection.ts";
import type { AccountKeys } from "./keys.ts";
import type { Leases } from "./leases.ts";
import { asList, asText, type Script } from "./script.ts";

/** Access to the keys of an account, for its owner. */
export interface Fenced {
  readonly fence: number;
  /** Return the id of the present history of Redis, as far as it is known. */
  readonly replid: () => string;
  /** Run a command that needs no fence, such as a read. */
  readonly call: Connection["call"];
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
  readonly names: AccountKeys;
  readonly connection: Connection;
  readonly leases: Leases;
  readonly fence: number;
  readonly replid: () => string;
  /** Throws once this node has claimed the account again, or released it. */
  readonly check: () => void;
}

/** Times a script is run again after its expired lease was renewed. */
const AGAIN = 1;

export function createFenced({ names, connection, leases, fence, replid, check }: FencedDeps): Fenced {
  const stale = (): StaleOwnerError =>
    new StaleOwnerError(
      `Account ${names.accountId}, of shard ${names.shard}, belongs to another owner: fence ${fence} is stale.`,
    );
  return {
    fence,
    replid,
    call: connection.call,
    async run(script, keys, args) {
      for (let n = 0; n <= AGAIN; n += 1) {
        check();
        const holder = leases.holder(names.shard);
        if (holder === undefined) throw stale();
        const reply = await connection.run(
          script,
          [names.lease, names.meta, ...keys],
          [holder, fence, ...args],
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

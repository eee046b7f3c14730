import type { Clock } from "@mulkko/shared/rules/clock";
import { Documents } from "../documents.ts";
import { StaleOwnerError } from "../errors.ts";
import { STORE_LIMITS } from "../limits.ts";
import type { AccountStore } from "../store.ts";
import type { DeviceCopy } from "../streams/device-copy.ts";
import type { EventLog } from "./event-log.ts";
import type { DocumentTables } from "./sqlite-documents.ts";

/** An account in memory: its copies, and the newest claim. */
export interface EmbeddedAccount {
  fence: number;
  readonly devices: DeviceCopy;
  readonly events: EventLog;
  /** The time of each poll unit's last claim. In memory: a single node polls again after a restart. */
  readonly claims: Map<string, number>;
}

interface Deps {
  readonly accountId: string;
  readonly account: EmbeddedAccount;
  readonly tables: DocumentTables;
  readonly clock: Clock;
  readonly newEpoch: () => string;
}

/** Create the writer of one account, under its newest claim. */
export function createAccountStore(deps: Deps): AccountStore {
  const { accountId, account, tables, clock, newEpoch } = deps;
  const { fence } = account;
  const check = (): void => {
    if (account.fence !== fence) {
      throw new StaleOwnerError(`Account ${accountId} was claimed again: fence ${fence} is stale.`);
    }
  };
  return {
    fence,
    async beginEpoch(values) {
      check();
      account.devices.begin(newEpoch(), values);
    },
    async step(step) {
      check();
      const { offset } = account.devices.stream;
      if (step.frame.from !== offset) return { kind: "moved", offset };
      account.devices.apply(step, step.frame, clock.monotonic());
      return { kind: "written", offset: step.frame.offset };
    },
    async append(event) {
      check();
      return account.events.append(event);
    },
    async claimUnit(unit) {
      check();
      account.claims.delete(unit);
      account.claims.set(unit, clock.now());
      const [oldest] = account.claims.keys();
      if (account.claims.size > STORE_LIMITS.claims && oldest !== undefined) account.claims.delete(oldest);
    },
    async claims() {
      return [...account.claims].map(([unit, at]) => ({ unit, at }));
    },
    documents: new Documents(tables.ofAccount(accountId, check)),
  };
}

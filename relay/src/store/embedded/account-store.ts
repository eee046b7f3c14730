import type { Clock } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { StaleOwnerError } from "../errors.ts";
import { readJson } from "../json.ts";
import { STORE_LIMITS } from "../limits.ts";
import { settingsText } from "../settings-text.ts";
import { type AccountStore, PresenceFields, type StoredPresence, WatchedSpan } from "../store.ts";
import { createAlarmStore } from "./alarm-store.ts";
import type { Durable, Statement } from "./durable.ts";
import type { EmbeddedAccount } from "./embedded-account.ts";
import { createValveStore } from "./valve-store.ts";

const NotifiedMark = Type.Object({ at: Type.Number(), keys: Type.Array(Type.String()) });

interface Deps {
  readonly accountId: string;
  readonly account: EmbeddedAccount;
  readonly durable: Durable;
  readonly clock: Clock;
  readonly newEpoch: () => string;
}

/** Create the writer of one account, under its newest claim. */
export function createAccountStore(deps: Deps): AccountStore {
  const { accountId, account, durable, clock, newEpoch } = deps;
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
    async notified() {
      const row = durable.get("SELECT notified FROM accounts WHERE account = ?", accountId);
      const notified = parse(NotifiedMark, readJson(row?.notified));
      return notified.ok ? notified.value : null;
    },
    async keepNotified(notified) {
      check();
      durable.write([
        ["UPDATE accounts SET notified = ? WHERE account = ?", JSON.stringify(notified), accountId],
      ]);
    },
    async watchedSpan() {
      const row = durable.get("SELECT since, until FROM watched_spans WHERE account = ?", accountId);
      const span = parse(WatchedSpan, row);
      return span.ok ? span.value : null;
    },
    async keepWatchedSpan({ since, until }) {
      check();
      durable.write([["INSERT OR REPLACE INTO watched_spans VALUES (?, ?, ?)", accountId, since, until]]);
    },
    async presence() {
      return durable
        .all("SELECT key, kept FROM presence WHERE account = ?", accountId)
        .flatMap((row): StoredPresence[] => {
          const kept = parse(PresenceFields, readJson(row.kept));
          return kept.ok ? [{ key: String(row.key), ...kept.value }] : [];
        });
    },
    async keepPresence(entries) {
      check();
      const statements = entries.map(
        ({ key, ...fields }): Statement => [
          "INSERT OR REPLACE INTO presence VALUES (?, ?, ?)",
          accountId,
          key,
          JSON.stringify(fields),
        ],
      );
      if (statements.length > 0) durable.write(statements);
    },
    valves: createValveStore(accountId, durable, () => clock.now(), check),
    alarms: createAlarmStore(accountId, durable, check),
    settings: {
      async get() {
        return readJson(durable.get("SELECT settings FROM settings WHERE account = ?", accountId)?.settings);
      },
      async put(settings) {
        check();
        durable.write([["INSERT OR REPLACE INTO settings VALUES (?, ?)", accountId, settingsText(settings)]]);
      },
    },
  };
}

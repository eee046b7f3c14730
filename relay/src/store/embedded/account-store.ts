import type { Clock } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { AlarmStore, ValveStore } from "../durable.ts";
import { StaleOwnerError } from "../errors.ts";
import { readJson, settingsText } from "../json.ts";
import { STORE_LIMITS } from "../limits.ts";
import { type AccountStore, PresenceFields, type StoredPresence, WatchedSpan } from "../store.ts";
import type { DeviceCopy } from "../streams/device-copy.ts";
import type { Durable, Statement } from "./durable.ts";
import type { EventLog } from "./event-log.ts";

const SURPLUS = `DELETE FROM alarms WHERE account = ? AND id NOT IN
  (SELECT id FROM alarms WHERE account = ? ORDER BY at DESC, id LIMIT ${STORE_LIMITS.alarms})`;

/** Create the store of an account's alarms in the SQLite file. `check` throws once the owner is stale. */
function createAlarmStore(accountId: string, durable: Durable, check: () => void): AlarmStore {
  return {
    async write(entries) {
      check();
      if (entries.length === 0) return;
      const statements = entries.map(
        ({ id, at, alarm }): Statement =>
          alarm === null
            ? ["DELETE FROM alarms WHERE account = ? AND id = ?", accountId, id]
            : ["INSERT OR REPLACE INTO alarms VALUES (?, ?, ?, ?)", accountId, id, at, JSON.stringify(alarm)],
      );
      durable.write([...statements, [SURPLUS, accountId, accountId]]);
    },
    async all() {
      return durable
        .all("SELECT id, alarm FROM alarms WHERE account = ? ORDER BY at, id", accountId)
        .map((row) => ({ id: String(row.id), alarm: readJson(row.alarm) }));
    },
  };
}

/**
 * Create the durable store of an account's valves in the SQLite file. `check` throws once the owner is stale.
 */
function createValveStore(
  accountId: string,
  durable: Durable,
  now: () => number,
  check: () => void,
): ValveStore {
  const values = (rows: readonly Record<string, unknown>[], column: string): unknown[] =>
    rows.map((row) => readJson(row[column]));
  return {
    now,
    async write(step) {
      check();
      const statements: Statement[] = [];
      for (const { channelKey, intent } of step.intents ?? []) {
        statements.push(
          intent === null
            ? ["DELETE FROM intents WHERE account = ? AND channel = ?", accountId, channelKey]
            : [
                "INSERT OR REPLACE INTO intents VALUES (?, ?, ?)",
                accountId,
                channelKey,
                JSON.stringify(intent),
              ],
        );
      }
      for (const { commandId, at, record } of step.commands ?? []) {
        statements.push([
          "INSERT OR REPLACE INTO commands VALUES (?, ?, ?, ?)",
          accountId,
          commandId,
          at,
          JSON.stringify(record),
        ]);
      }
      for (const { id, at, watering } of step.waterings ?? []) {
        statements.push([
          "INSERT OR REPLACE INTO waterings VALUES (?, ?, ?, ?)",
          accountId,
          id,
          at,
          JSON.stringify(watering),
        ]);
      }
      if (statements.length > 0) durable.write(statements);
    },
    async intents() {
      return durable
        .all("SELECT channel, intent FROM intents WHERE account = ?", accountId)
        .map((row) => ({ channelKey: String(row.channel), intent: readJson(row.intent) }));
    },
    async command(commandId) {
      const row = durable.get(
        "SELECT record FROM commands WHERE account = ? AND id = ?",
        accountId,
        commandId,
      );
      return row === undefined ? undefined : readJson(row.record);
    },
    async commandsSince(at) {
      const sql = `SELECT record FROM (SELECT at, record FROM commands WHERE account = ? AND at >= ?
        ORDER BY at DESC LIMIT ${STORE_LIMITS.records}) ORDER BY at`;
      return values(durable.all(sql, accountId, at), "record");
    },
    async wateringsSince(at) {
      const sql = `SELECT watering FROM (SELECT at, watering FROM waterings WHERE account = ? AND at >= ?
        ORDER BY at DESC LIMIT ${STORE_LIMITS.records}) ORDER BY at`;
      return values(durable.all(sql, accountId, at), "watering");
    },
  };
}

/** An account in memory: its copies, and the newest claim. */
export interface EmbeddedAccount {
  fence: number;
  readonly devices: DeviceCopy;
  readonly events: EventLog;
  /** The time of each poll unit's last claim. In memory: a single node polls again after a restart. */
  readonly claims: Map<string, number>;
}

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

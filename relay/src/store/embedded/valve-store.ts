import type { ValveStore } from "../durable.ts";
import { readJson } from "../json.ts";
import { STORE_LIMITS } from "../limits.ts";
import type { Durable, Statement } from "./durable.ts";

/**
 * Create the durable store of an account's valves in the SQLite file. `check` throws once the owner is stale.
 */
export function createValveStore(
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

import type { AlarmStore } from "../durable.ts";
import { readJson } from "../json.ts";
import { STORE_LIMITS } from "../limits.ts";
import type { Durable, Statement } from "./durable.ts";

const SURPLUS = `DELETE FROM alarms WHERE account = ? AND id NOT IN
  (SELECT id FROM alarms WHERE account = ? ORDER BY at DESC, id LIMIT ${STORE_LIMITS.alarms})`;

/** Create the store of an account's alarms in the SQLite file. `check` throws once the owner is stale. */
export function createAlarmStore(accountId: string, durable: Durable, check: () => void): AlarmStore {
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

import type { DisplayStore } from "../display-store.ts";
import { readJson } from "../json.ts";
import { createDisplayCodes } from "./display-codes.ts";
import type { Durable, Statement } from "./durable.ts";

/**
 * Create the display store in the SQLite file. It loses nothing while the process lives, so its epoch is the
 * process's.
 */
export function createDisplays(durable: Durable, now: () => number, epoch: string): DisplayStore {
  let revision = 0;
  const has = (id: string): boolean => durable.get("SELECT id FROM displays WHERE id = ?", id) !== undefined;
  const change = (...statements: Statement[]): void => {
    durable.write(statements);
    revision += 1;
  };
  const insert = (id: string, display: object): Statement => [
    "INSERT INTO displays (id, display) VALUES (?, ?)",
    id,
    JSON.stringify(display),
  ];
  return {
    mark: async () => ({ epoch, revision }),
    async all() {
      const rows = durable.all("SELECT id, display FROM displays ORDER BY id");
      const displays = rows.map((row) => ({ id: String(row.id), display: readJson(row.display) }));
      return { mark: { epoch, revision }, displays };
    },
    async add(id, display) {
      change(insert(id, display));
    },
    async replace(id, display) {
      if (!has(id)) return false;
      change(["UPDATE displays SET display = ? WHERE id = ?", JSON.stringify(display), id]);
      return true;
    },
    async remove(id) {
      if (!has(id)) return false;
      change(["DELETE FROM displays WHERE id = ?", id]);
      return true;
    },
    async restore(displays, removed) {
      change(
        ...displays
          .filter(({ id }) => !has(id))
          .flatMap(({ id, display }): Statement[] => [
            insert(id, display),
            ["UPDATE displays SET seen_at = ?, seen_until = 0 WHERE id = ?", Math.floor(now()), id],
          ]),
        ...removed.map((id): Statement => ["DELETE FROM displays WHERE id = ?", id]),
      );
    },
    async displayActivity() {
      return durable
        .all("SELECT id, seen_at, seen_until FROM displays WHERE seen_at IS NOT NULL ORDER BY id")
        .map((row) => ({ id: String(row.id), at: Number(row.seen_at), until: Number(row.seen_until) }));
    },
    async noteSeen(seen) {
      if (seen.length === 0) return;
      durable.write(
        seen.map(({ id, at, until }) => [
          "UPDATE displays SET seen_at = ?, seen_until = coalesce(?, seen_until) WHERE id = ?",
          at,
          until,
          id,
        ]),
      );
    },
    codes: createDisplayCodes(durable, now),
  };
}

import { LRUCache } from "lru-cache";
import type { CodeStore, DisplayStore } from "../display-store.ts";
import { readJson } from "../json.ts";
import type { Durable, Statement } from "./durable.ts";

/** Guessers counted at the same time; beyond it the oldest counts are dropped. */
const GUESSERS = 10_000;

/**
 * Create the store of pending codes in the SQLite file. Each step reads and writes without an await between,
 * so it is atomic.
 */
function createDisplayCodes(durable: Durable, now: () => number): CodeStore {
  const waiting = (code: string) =>
    durable.get(
      "SELECT * FROM display_codes WHERE code = ? AND display IS NULL AND expires_at > ?",
      code,
      now(),
    );
  /** In memory only: a restart takes longer than sixty guesses are worth. */
  const guesses = new LRUCache<string, { readonly ends: number; readonly count: number }>({ max: GUESSERS });
  return {
    async open(code, { device, asked, expiresAt }, atMost) {
      durable.write([["DELETE FROM display_codes WHERE expires_at <= ?", now()]]);
      if (durable.get("SELECT code FROM display_codes WHERE code = ?", code)) return "taken";
      const row = durable.get("SELECT count(*) AS waiting FROM display_codes");
      if (Number(row?.waiting ?? 0) >= atMost) return "full";
      const values = [code, device, JSON.stringify(asked), expiresAt] as const;
      durable.write([["INSERT INTO display_codes VALUES (?, ?, ?, ?, NULL)", ...values]]);
      return "kept";
    },
    async waiting(code) {
      const row = waiting(code);
      return row && { asked: readJson(row.asked), expiresAt: Number(row.expires_at) };
    },
    async everyWaiting() {
      const rows = durable.all(
        "SELECT code, asked FROM display_codes WHERE display IS NULL AND expires_at > ? ORDER BY expires_at, code",
        now(),
      );
      return rows.map(({ code, asked }) => ({ code: String(code), asked: readJson(asked) }));
    },
    async withdraw(code) {
      durable.write([["DELETE FROM display_codes WHERE code = ? AND display IS NULL", code]]);
    },
    async approve(code, displayId) {
      if (!waiting(code)) return false;
      durable.write([["UPDATE display_codes SET display = ? WHERE code = ?", displayId, code]]);
      return true;
    },
    async poll(device) {
      const row = durable.get(
        "SELECT code, display FROM display_codes WHERE device = ? AND expires_at > ?",
        device,
        now(),
      );
      if (row === undefined) return { kind: "unknown" };
      if (typeof row.display !== "string") return { kind: "waiting" };
      durable.write([["DELETE FROM display_codes WHERE device = ?", device]]);
      return { kind: "approved", displayId: row.display };
    },
    async guessed(who, windowMs) {
      const known = guesses.get(who);
      const open = known !== undefined && known.ends > now() ? known : { ends: now() + windowMs, count: 0 };
      guesses.set(who, { ...open, count: open.count + 1 });
      return open.count + 1;
    },
  };
}

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

import type { CodeStore } from "../display-store.ts";
import { readJson } from "../json.ts";
import type { Durable } from "./durable.ts";

/** Guessers counted at the same time; beyond it the oldest counts are dropped. */
const GUESSERS = 10_000;

/**
 * Create the store of pending codes in the SQLite file. Each step reads and writes without an await between,
 * so it is atomic.
 */
export function createDisplayCodes(durable: Durable, now: () => number): CodeStore {
  const waiting = (code: string) =>
    durable.get(
      "SELECT * FROM display_codes WHERE code = ? AND display IS NULL AND expires_at > ?",
      code,
      now(),
    );
  /** In memory only: a restart takes longer than sixty guesses are worth. */
  const guesses = new Map<string, { readonly ends: number; readonly count: number }>();
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
      guesses.delete(who);
      guesses.set(who, { ...open, count: open.count + 1 });
      const oldest = guesses.keys().next().value;
      if (guesses.size > GUESSERS && oldest !== undefined) guesses.delete(oldest);
      return open.count + 1;
    },
  };
}

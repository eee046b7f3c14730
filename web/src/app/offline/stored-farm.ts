import { Account } from "@mulkko/shared/entities/account";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import { TextRecord } from "@mulkko/shared/schema/text-record";
import { type Static, Type } from "typebox";
import type { LiveStore } from "../../live/store.ts";
import { type LiveEntry, type LiveKind, parseValue, splitKey } from "../../live/values.ts";

/** Stored data of a farm for an offline start. */
export const StoredFarm = Type.Object({
  /** Time at which the data was live. */
  at: Instant,
  account: Account,
  /** Values of the `devices` stream by their keys. */
  values: TextRecord(TextRecord(Type.Unknown())),
});
export type StoredFarm = Static<typeof StoredFarm>;

/** Old readings may be shown; valves, waterings and alarms only while they are known. */
const KEPT_KINDS: readonly LiveKind[] = ["farm", "sensor", "controller"];

/** Maximum number of stored values, farms first. */
export const VALUES_KEPT = 3_000;

/** Return a store's data for storage. @param at the current time, ISO 8601 */
export function storedOf(store: LiveStore, account: Account, at: string): StoredFarm {
  const entries = KEPT_KINDS.flatMap((kind) =>
    [...store.all(kind)].map(([id, value]) => [`${kind}:${id}`, { ...value }] as const),
  );
  return { at, account, values: Object.fromEntries(entries.slice(0, VALUES_KEPT)) };
}

/** Parse stored data; null if it is invalid. */
export function parseStoredFarm(raw: unknown): StoredFarm | null {
  const stored = parse(StoredFarm, raw);
  return stored.ok ? stored.value : null;
}

/** Return the stored values as live entries with unknown quality (ONL-2). */
export function entriesOf({ values }: StoredFarm): LiveEntry[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const part = splitKey(key);
    if (!part || !KEPT_KINDS.includes(part.kind)) return [];
    const raw = "quality" in value ? { ...value, quality: value.quality === null ? null : "unknown" } : value;
    const entry = parseValue(part.kind, part.id, raw);
    return entry ? [entry] : [];
  });
}

import { Account } from "@mulkko/shared/entities/account";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import { TextRecord } from "@mulkko/shared/schema/text-record";
import { type Static, Type } from "typebox";
import type { LiveStore } from "../../live/store.ts";
import { type LiveEntry, type LiveKind, parseValue, splitKey } from "../../live/values.ts";

/** What is kept of a farm for a start without a network. */
export const KeptFarm = Type.Object({
  /** When it was the present. */
  at: Instant,
  account: Account,
  /** Values of the `devices` stream by their keys. */
  values: TextRecord(TextRecord(Type.Unknown())),
});
export type KeptFarm = Static<typeof KeptFarm>;

/** Readings may be old; what a valve does, what waters and what is wrong is shown only while it is known. */
const KEPT_KINDS: readonly LiveKind[] = ["farm", "sensor", "controller"];

/** Values that are kept at most, farms first. */
export const VALUES_KEPT = 3_000;

/** What a store holds, to be kept. @param at the present, ISO 8601 */
export function keptOf(store: LiveStore, account: Account, at: string): KeptFarm {
  const entries = KEPT_KINDS.flatMap((kind) =>
    [...store.all(kind)].map(([id, value]) => [`${kind}:${id}`, { ...value }] as const),
  );
  return { at, account, values: Object.fromEntries(entries.slice(0, VALUES_KEPT)) };
}

/** What was kept, read from outside; null where it is none of ours. */
export function readKept(raw: unknown): KeptFarm | null {
  const kept = parse(KeptFarm, raw);
  return kept.ok ? kept.value : null;
}

/** The kept values for a store: nobody knows whether they still hold (ONL-2). */
export function entriesOf({ values }: KeptFarm): LiveEntry[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const part = splitKey(key);
    if (!part || !KEPT_KINDS.includes(part.kind)) return [];
    const raw = "quality" in value ? { ...value, quality: value.quality === null ? null : "unknown" } : value;
    const entry = parseValue(part.kind, part.id, raw);
    return entry ? [entry] : [];
  });
}

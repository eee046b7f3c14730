import Type from "typebox";
import { expect, test } from "vitest";
import { found, foundSince, foundSingle, listed } from "../../testing/any-documents.ts";
import {
  type DatedCollection,
  type KeyedCollection,
  put,
  putDated,
  putSingle,
  removed,
  type SingleCollection,
} from "./collections.ts";
import type { WithStore } from "./durable.suite.ts";
import { StaleOwnerError } from "./errors.ts";
import { shardOf } from "./shard.ts";

const HOUR_MS = 3_600_000;
const Note = Type.Object({ text: Type.String() });

/** Collections that no store knows: each is declared here alone, as a new one of the product would be. */
const PLANS = {
  name: "field-plan",
  shape: "single",
  value: Note,
  rewritten: true,
} as const satisfies SingleCollection;
const NOTES = {
  name: "field-notes",
  shape: "keyed",
  value: Note,
  listed: true,
} as const satisfies KeyedCollection;
const VISITS = {
  ...{ name: "field-visits", shape: "dated", value: Note, atMost: 3, forMs: HOUR_MS, rewritten: true },
} as const satisfies DatedCollection;
const BADGES = {
  name: "badge",
  shape: "single",
  value: Note,
  anyNode: true,
} as const satisfies SingleCollection;

/** Define the tests of collections in every store. */
export function describeDocuments(withStore: WithStore): void {
  test("[NODE-4] a new collection needs its row alone, and its documents survive a restart", () =>
    withStore(async (harness) => {
      const { documents } = await harness.store.claim("a1");
      expect(await documents.single(PLANS)).toBeUndefined();
      expect(await documents.list(NOTES)).toEqual([]);
      expect(await documents.get(VISITS, "v1")).toBeUndefined();
      const at = Math.floor(harness.store.now());
      await documents.write([
        putSingle(PLANS, { text: "tomatoes" }),
        put(NOTES, "n1", { text: "dry" }),
        put(NOTES, "n2", { text: "wet" }),
        putDated(VISITS, "v1", at, { text: "first" }),
      ]);
      await harness.restart();
      const later = (await harness.store.claim("a1")).documents;
      expect(await foundSingle(later, PLANS)).toEqual({ text: "tomatoes" });
      expect(await listed(later, NOTES)).toEqual([
        ["n1", { text: "dry" }],
        ["n2", { text: "wet" }],
      ]);
      expect(await found(later, NOTES, "n2")).toEqual({ text: "wet" });
      expect(await found(later, VISITS, "v1")).toEqual({ text: "first" });
      const other = (await harness.store.claim("a2")).documents;
      expect(await other.single(PLANS)).toBeUndefined();
      expect(await other.list(NOTES)).toEqual([]);
    }));

  test("[NODE-4] one write puts and removes, and of a key its last change counts", () =>
    withStore(async ({ store }) => {
      const { documents } = await store.claim("a1");
      await documents.write([putSingle(PLANS, { text: "old" }), put(NOTES, "n1", { text: "old" })]);
      await documents.write([
        put(NOTES, "n1", { text: "1" }),
        removed(NOTES, "n1"),
        put(NOTES, "n2", { text: "2" }),
        removed(NOTES, "unknown"),
        removed(PLANS),
      ]);
      expect(await listed(documents, NOTES)).toEqual([["n2", { text: "2" }]]);
      expect(await documents.single(PLANS)).toBeUndefined();
    }));

  test("[NODE-4] a dated collection drops the oldest beyond its number, and expired ones", () =>
    withStore(async (harness) => {
      const { documents } = await harness.store.claim("a1");
      const at = Math.floor(harness.store.now());
      const visit = (n: number) => putDated(VISITS, `v${n}`, at + n, { text: `${n}` });
      await documents.write([visit(2), visit(1), visit(4), visit(3)]);
      const texts = async () => (await foundSince(documents, VISITS, 0)).map((value) => value);
      expect(await texts()).toEqual([{ text: "2" }, { text: "3" }, { text: "4" }]);
      expect(await foundSince(documents, VISITS, at + 3)).toEqual([{ text: "3" }, { text: "4" }]);
      // Written again with a later time, it is the newest.
      await documents.write([putDated(VISITS, "v2", at + 9, { text: "2" })]);
      expect(await texts()).toEqual([{ text: "3" }, { text: "4" }, { text: "2" }]);
      harness.clock.advance(HOUR_MS + 60_000);
      expect(await texts()).toEqual([]);
      expect(await documents.get(VISITS, "v2")).toBeUndefined();
    }));

  test("[NODE-4] the accounts with a document of a listed collection are found, by shard as well", () =>
    withStore(async ({ store }) => {
      expect(await store.accountsWith(NOTES)).toEqual([]);
      const { documents } = await store.claim("a1");
      await documents.write([put(NOTES, "n1", { text: "1" }), put(NOTES, "n2", { text: "2" })]);
      await (await store.claim("a2")).documents.write([put(NOTES, "n1", { text: "1" })]);
      expect(await store.accountsWith(NOTES)).toEqual(["a1", "a2"]);
      expect(await store.accountsWith(NOTES, shardOf("a1"))).toEqual(["a1"]);
      await documents.write([removed(NOTES, "n1")]);
      expect(await store.accountsWith(NOTES)).toEqual(["a1", "a2"]);
      await documents.write([removed(NOTES, "n2")]);
      expect(await store.accountsWith(NOTES)).toEqual(["a2"]);
    }));

  test("[NODE-6] a document that does not fit its schema is reported with its key, its neighbours are read", () =>
    withStore(async ({ store }) => {
      const { documents } = await store.claim("a1");
      const anyNotes = { ...NOTES, value: Type.Unknown() } as const satisfies KeyedCollection;
      await documents.write([put(anyNotes, "n1", { text: 5 }), put(NOTES, "n2", { text: "2" })]);
      expect(await documents.list(NOTES)).toMatchObject([
        { key: "n1", read: { ok: false, path: "/text" } },
        { key: "n2", read: { ok: true, value: { text: "2" } } },
      ]);
      expect(await documents.get(NOTES, "n1")).toMatchObject({ ok: false });
    }));

  test("[NODE-5] a stale owner changes no document, and any node those without an owner", () =>
    withStore(async ({ store }) => {
      const stale = (await store.claim("a1")).documents;
      await stale.write([put(NOTES, "n1", { text: "1" })]);
      const { documents } = await store.claim("a1");
      const refused = [
        removed(NOTES, "n1"),
        put(NOTES, "n2", { text: "2" }),
        putSingle(PLANS, { text: "2" }),
      ];
      for (const change of refused) {
        await expect(stale.write([change])).rejects.toBeInstanceOf(StaleOwnerError);
      }
      expect(await listed(documents, NOTES)).toEqual([["n1", { text: "1" }]]);
      await store.documents("a1").write([putSingle(BADGES, { text: "sealed" })]);
      expect(await foundSingle(store.documents("a1"), BADGES)).toEqual({ text: "sealed" });
      await expect(store.documents("a1").write([put(NOTES, "n1", { text: "3" })])).rejects.toThrow(TypeError);
      await expect(documents.write([putSingle(BADGES, { text: "3" })])).rejects.toThrow(TypeError);
    }));
}

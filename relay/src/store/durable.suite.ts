import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import Type from "typebox";
import { expect, test } from "vitest";
import {
  anyAlarms,
  anyCommands,
  anyIntents,
  anySettings,
  anyWaterings,
  found,
  foundSince,
  foundSingle,
  listed,
} from "../../testing/any-documents.ts";
import { PROOFS } from "../access/token-prover.ts";
import { SESSIONS } from "../access/vault.ts";
import { PRESENCE } from "../account/device-memory.ts";
import { NOTIFIED } from "../account/notification-handler.ts";
import { WATCHED_SPAN } from "../account/watched-span.ts";
import { ALARMS } from "../alarms/alarm-persistence.ts";
import { SETTINGS } from "../settings/settings-service.ts";
import { INTENTS } from "../valves/intent.ts";
import { put, putDated, putSingle, removed } from "./collections.ts";
import { shardOf } from "./shard.ts";
import type { Store } from "./store.ts";

/** A store on a fake clock that can be closed, and opened again with its stored content. */
export interface StoreHarness {
  readonly clock: FakeClock;
  readonly store: Store;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Open a store for one test, and close it in any case. */
export type WithStore = (use: (harness: StoreHarness) => Promise<void>) => Promise<void>;

const DAY = 24 * 3_600_000;

/** Define the tests of what survives a restart in every store, and for how long. */
export function describeDurable(withStore: WithStore): void {
  test("[RUN-3] intents, commands and waterings survive a restart, for each account separately", () =>
    withStore(async (harness) => {
      const at = harness.clock.now();
      const mine = (await harness.store.claim("a1")).documents;
      const theirs = (await harness.store.claim("a2")).documents;
      await mine.write([
        put(anyIntents, "channel:1", { want: "open" }),
        put(anyIntents, "channel:2", { want: "close" }),
        putDated(anyCommands, "c1", at, { state: "requested" }),
        putDated(anyWaterings, "w1", at, { id: "w1" }),
      ]);
      await theirs.write([putDated(anyCommands, "c1", at, { state: "refused" })]);
      await mine.write([removed(anyIntents, "channel:2")]);
      await harness.restart();
      const { documents } = await harness.store.claim("a1");
      expect(await listed(documents, anyIntents)).toEqual([["channel:1", { want: "open" }]]);
      expect(await found(documents, anyCommands, "c1")).toEqual({ state: "requested" });
      expect(await found(documents, anyCommands, "c2")).toBeUndefined();
      expect(await foundSince(documents, anyCommands, at)).toEqual([{ state: "requested" }]);
      expect(await foundSince(documents, anyWaterings, at)).toEqual([{ id: "w1" }]);
      expect(await foundSince(documents, anyWaterings, at + 1)).toEqual([]);
    }));

  test("[CMD-7] commands are kept for a day, waterings for a week", () =>
    withStore(async (harness) => {
      const { documents } = await harness.store.claim("a1");
      const at = harness.clock.now();
      await documents.write([putDated(anyCommands, "c1", at, {}), putDated(anyWaterings, "w1", at, {})]);
      harness.clock.advance(DAY + 1);
      await harness.restart();
      const later = (await harness.store.claim("a1")).documents;
      expect(await found(later, anyCommands, "c1")).toBeUndefined();
      expect(await foundSince(later, anyWaterings, 0)).toHaveLength(1);
      harness.clock.advance(6 * DAY);
      await harness.restart();
      const last = (await harness.store.claim("a1")).documents;
      expect(await foundSince(last, anyWaterings, 0)).toHaveLength(0);
    }));

  test("[ONL-2] learned device presence is stored with the devices' keys", () =>
    withStore(async (harness) => {
      const kept = { gaps: [600_000, 601_000], offline: true };
      await (await harness.store.claim("a1")).documents.write([put(PRESENCE, "sensor:1", kept)]);
      await harness.restart();
      const { documents } = await harness.store.claim("a1");
      expect(await listed(documents, PRESENCE)).toEqual([["sensor:1", kept]]);
    }));

  test("[CRED-1] watched accounts are found again, and accounts with an open intent", () =>
    withStore(async (harness) => {
      await harness.store.claim("a1");
      await harness.store.watchAccount("a1");
      await harness.store.watchAccount("a3");
      await harness.store.unwatchAccount("a3");
      const { documents } = await harness.store.claim("a2");
      await documents.write([put(anyIntents, "channel:1", {})]);
      await harness.restart();
      expect(await harness.store.watchedAccounts()).toEqual(["a1"]);
      expect(await harness.store.accountsWith(INTENTS)).toEqual(["a2"]);
      expect(await harness.store.accountsWith(INTENTS, shardOf("a1"))).toEqual([]);
      await (await harness.store.claim("a2")).documents.write([removed(INTENTS, "channel:1")]);
      expect(await harness.store.accountsWith(INTENTS)).toEqual([]);
    }));

  test("[ingest] the newest notification is stored", () =>
    withStore(async (harness) => {
      const { documents } = await harness.store.claim("a1");
      expect(await documents.single(NOTIFIED)).toBeUndefined();
      await documents.write([putSingle(NOTIFIED, { at: 5, keys: ["n1"] })]);
      await harness.restart();
      const later = (await harness.store.claim("a1")).documents;
      expect(await foundSingle(later, NOTIFIED)).toEqual({ at: 5, keys: ["n1"] });
    }));

  test("[WAT-4] the span in which an account was watched is stored", () =>
    withStore(async (harness) => {
      const { documents } = await harness.store.claim("a1");
      expect(await documents.single(WATCHED_SPAN)).toBeUndefined();
      await documents.write([putSingle(WATCHED_SPAN, { since: 5, until: 9 })]);
      await documents.write([putSingle(WATCHED_SPAN, { since: 5, until: 12 })]);
      await harness.restart();
      const later = (await harness.store.claim("a1")).documents;
      expect(await foundSingle(later, WATCHED_SPAN)).toEqual({ since: 5, until: 12 });
      expect(await (await harness.store.claim("a2")).documents.single(WATCHED_SPAN)).toBeUndefined();
    }));

  test("[ALM-1] alarms survive a restart; null removes one, and the oldest changes are dropped first", () =>
    withStore(async (harness) => {
      const { documents } = await harness.store.claim("a1");
      await documents.write([
        putDated(anyAlarms, "b", 20, { active: true }),
        putDated(anyAlarms, "a", 30, { active: true }),
        putDated(anyAlarms, "c", 10, { active: false }),
      ]);
      await documents.write([removed(anyAlarms, "b")]);
      await harness.restart();
      const later = (await harness.store.claim("a1")).documents;
      expect(await listed(later, anyAlarms)).toEqual([
        ["c", { active: false }],
        ["a", { active: true }],
      ]);
      expect(await listed((await harness.store.claim("a2")).documents, anyAlarms)).toEqual([]);
      await later.write(
        Array.from({ length: ALARMS.atMost - 1 }, (_, n) => putDated(anyAlarms, `n${n}`, 100 + n, {})),
      );
      const kept = (await later.list(anyAlarms)).map(({ key }) => key);
      expect(kept).toHaveLength(ALARMS.atMost);
      expect(kept.slice(0, 2)).toEqual(["a", "n0"]);
    }));

  test("[NODE-4] settings are one object per account, replaced as a whole, and bounded", () =>
    withStore(async (harness) => {
      const { documents } = await harness.store.claim("a1");
      expect(await documents.single(anySettings)).toBeUndefined();
      await documents.write([
        putSingle(anySettings, { meters: { "channel:1": "sensor:7" }, adoptExternal: true }),
      ]);
      const chosen = { adoptExternal: false, channels: { "11": { name: "1동 앞 베드 · 🍅" } } };
      await documents.write([putSingle(anySettings, chosen)]);
      await harness.restart();
      const later = (await harness.store.claim("a1")).documents;
      expect(await foundSingle(later, anySettings)).toEqual(chosen);
      const text = "x".repeat(SETTINGS.atMostBytes);
      expect(() => putSingle(anySettings, { text })).toThrow(RangeError);
      expect(await foundSingle(later, anySettings)).toEqual(chosen);
    }));

  test("[CRED-1] encrypted sessions of the relay survive a restart, and are deleted on request", () =>
    withStore(async (harness) => {
      await harness.store.documents("a1").write([putSingle(SESSIONS, "sealed-1")]);
      await harness.store.documents("a1").write([putSingle(SESSIONS, "sealed-2")]);
      await harness.store.documents("a2").write([putSingle(SESSIONS, "other")]);
      await harness.restart();
      const { store } = harness;
      expect(await foundSingle(store.documents("a1"), SESSIONS)).toBe("sealed-2");
      await store.documents("a1").write([removed(SESSIONS)]);
      expect(await store.documents("a1").single(SESSIONS)).toBeUndefined();
      expect(await foundSingle(store.documents("a2"), SESSIONS)).toBe("other");
    }));

  test("[AUTH-3] proofs of tokens are found by their hash until they end or are deleted", () =>
    withStore(async ({ store, clock }) => {
      const until = store.now() + 60_000;
      const proofs = store.passing({ ...PROOFS, value: Type.Unknown() });
      await proofs.put("hash-1", { accountId: "a1" }, until);
      await proofs.put("hash-2", { accountId: "a2" }, until);
      await proofs.put("hash-3", { accountId: "a3" }, store.now() - 1);
      expect(await proofs.get("hash-1")).toMatchObject({ ok: true, value: { accountId: "a1" } });
      expect(await store.passing(PROOFS).get("hash-1")).toMatchObject({ ok: false });
      expect(await proofs.get("hash-3")).toBeUndefined();
      await proofs.drop("hash-2");
      expect(await proofs.get("hash-2")).toBeUndefined();
      clock.advance(60_001);
      expect(await proofs.get("hash-1")).toBeUndefined();
    }));

  test("[CRED-1] watched accounts can be requested by shard", () =>
    withStore(async ({ store }) => {
      await store.watchAccount("a1");
      await store.watchAccount("a2");
      expect(shardOf("a1")).not.toBe(shardOf("a2"));
      expect(await store.watchedAccounts(shardOf("a1"))).toEqual(["a1"]);
    }));

  test("[NODE-4] displays survive a restart; a removed one can be neither replaced nor removed again", () =>
    withStore(async (harness) => {
      const { displays } = harness.store;
      const before = await displays.mark();
      await displays.add("d1", { name: "one", changedAt: 1 });
      await displays.add("d2", { name: "two", changedAt: 1 });
      expect(await displays.replace("d1", { name: "changed", changedAt: 2 })).toBe(true);
      expect(await displays.remove("d2")).toBe(true);
      expect(await displays.remove("d2")).toBe(false);
      expect(await displays.replace("d2", { name: "again", changedAt: 3 })).toBe(false);
      expect((await displays.mark()).revision).toBe(before.revision + 4);
      await harness.restart();
      const kept = await harness.store.displays.all();
      expect(kept.displays).toEqual([{ id: "d1", display: { name: "changed", changedAt: 2 } }]);
      expect(kept.mark).toEqual(await harness.store.displays.mark());
    }));

  test("[NODE-2] restores displays that a store has lost, and keeps removed ones out", () =>
    withStore(async ({ store: { displays, now } }) => {
      const from = Math.floor(now());
      await displays.add("gone", { changedAt: 1 });
      await displays.noteSeen([{ id: "gone", at: 1, until: 1 }]);
      await displays.restore([{ id: "d1", changedAt: 2, display: { name: "lost", changedAt: 2 } }], ["gone"]);
      expect((await displays.all()).displays).toEqual([
        { id: "d1", display: { name: "lost", changedAt: 2 } },
      ]);
      // Its last activity is lost too: it must not count as unused since its pairing.
      const [seen, ...others] = await displays.displayActivity();
      expect(seen).toMatchObject({ id: "d1", until: 0 });
      expect(seen?.at).toBeGreaterThanOrEqual(from);
      expect(others).toEqual([]);
    }));

  test("[displays] the last activity of a display is stored and removed with it", () =>
    withStore(async (harness) => {
      const { displays } = harness.store;
      await displays.add("d1", {});
      await displays.add("d2", {});
      await displays.noteSeen([
        { id: "d1", at: 1_000, until: 2_000 },
        { id: "d2", at: 1_500, until: 0 },
        { id: "unknown", at: 1, until: 1 },
      ]);
      await displays.noteSeen([{ id: "d1", at: 1_200, until: null }]);
      await displays.remove("d2");
      await harness.restart();
      expect(await harness.store.displays.displayActivity()).toEqual([{ id: "d1", at: 1_200, until: 2_000 }]);
    }));

  test("[displays] a code is approved once and taken once, and is unknown after its end", () =>
    withStore(async (harness) => {
      const { codes } = harness.store.displays;
      const expiresAt = Math.floor(harness.store.now()) + 60_000;
      const asked = { agent: "Browser\nwith a line end", address: "10.0.0.1" };
      expect(await codes.open("BCDF", { device: "dev-1", asked, expiresAt }, 2)).toBe("kept");
      expect(await codes.open("BCDF", { device: "dev-2", asked, expiresAt }, 2)).toBe("taken");
      expect(await codes.open("GHJK", { device: "dev-2", asked, expiresAt }, 2)).toBe("kept");
      expect(await codes.open("LMNP", { device: "dev-3", asked, expiresAt }, 2)).toBe("full");
      expect(await codes.waiting("BCDF")).toEqual({ asked, expiresAt });
      expect(await codes.waiting("XXXX")).toBeUndefined();
      expect(await codes.poll("dev-1")).toEqual({ kind: "waiting" });
      await harness.restart();
      const later = harness.store.displays.codes;
      expect(await later.approve("BCDF", "d1")).toBe(true);
      expect(await later.approve("BCDF", "d2")).toBe(false);
      expect(await later.waiting("BCDF")).toBeUndefined();
      expect(await later.poll("dev-1")).toEqual({ kind: "approved", displayId: "d1" });
      expect(await later.poll("dev-1")).toEqual({ kind: "unknown" });
      harness.clock.advance(60_001);
      expect(await later.waiting("GHJK")).toBeUndefined();
      expect(await later.approve("GHJK", "d1")).toBe(false);
      expect(await later.poll("dev-2")).toEqual({ kind: "unknown" });
      const again = { device: "dev-4", asked, expiresAt: expiresAt + 120_000 };
      expect(await later.open("GHJK", again, 1)).toBe("kept");
    }));

  test("[displays] waiting codes are listed oldest first, and withdrawn unless they are approved", () =>
    withStore(async (harness) => {
      const { codes } = harness.store.displays;
      const soon = Math.floor(harness.store.now()) + 60_000;
      expect(await codes.everyWaiting()).toEqual([]);
      for (const [n, code] of ["LMNP", "BCDF", "GHJK"].entries()) {
        const entry = { device: `dev-${n}`, asked: { address: `10.0.0.${n}` }, expiresAt: soon + n };
        await codes.open(code, entry, 3);
      }
      await codes.approve("BCDF", "d1");
      const waiting = [
        { code: "LMNP", asked: { address: "10.0.0.0" } },
        { code: "GHJK", asked: { address: "10.0.0.2" } },
      ];
      expect(await codes.everyWaiting()).toEqual(waiting);
      await codes.withdraw("LMNP");
      await codes.withdraw("BCDF");
      await codes.withdraw("XXXX");
      expect(await codes.everyWaiting()).toEqual(waiting.slice(1));
      expect(await codes.poll("dev-0")).toEqual({ kind: "unknown" });
      expect(await codes.poll("dev-1")).toEqual({ kind: "approved", displayId: "d1" });
      const again = { device: "dev-3", asked: {}, expiresAt: soon };
      expect(await codes.open("LMNP", again, 2)).toBe("kept");
    }));

  test("[displays] guesses are counted per guesser, from one again after the window of the first", () =>
    withStore(async (harness) => {
      const { codes } = harness.store.displays;
      const guess = (who: string) => codes.guessed(who, 10_000);
      expect([await guess("account:1"), await guess("account:1"), await guess("10.0.0.1")]).toEqual([
        1, 2, 1,
      ]);
      harness.clock.advance(9_000);
      expect(await guess("account:1")).toBe(3);
      harness.clock.advance(1_000);
      expect(await guess("account:1")).toBe(1);
      expect(await guess("account:1")).toBe(2);
    }));
}

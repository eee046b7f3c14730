import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { STORE_LIMITS } from "./limits.ts";
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
      const mine = (await harness.store.claim("a1")).valves;
      const theirs = (await harness.store.claim("a2")).valves;
      await mine.write({
        intents: [
          { channelKey: "channel:1", intent: { want: "open" } },
          { channelKey: "channel:2", intent: { want: "close" } },
        ],
        commands: [{ commandId: "c1", at, record: { state: "requested" } }],
        waterings: [{ id: "w1", at, watering: { id: "w1" } }],
      });
      await theirs.write({ commands: [{ commandId: "c1", at, record: { state: "refused" } }] });
      await mine.write({ intents: [{ channelKey: "channel:2", intent: null }] });
      await harness.restart();
      const { valves } = await harness.store.claim("a1");
      expect(await valves.intents()).toEqual([{ channelKey: "channel:1", intent: { want: "open" } }]);
      expect(await valves.command("c1")).toEqual({ state: "requested" });
      expect(await valves.command("c2")).toBeUndefined();
      expect(await valves.commandsSince(at)).toEqual([{ state: "requested" }]);
      expect(await valves.wateringsSince(at)).toEqual([{ id: "w1" }]);
      expect(await valves.wateringsSince(at + 1)).toEqual([]);
    }));

  test("[CMD-7] commands are kept for a day, waterings for a week", () =>
    withStore(async (harness) => {
      const { valves } = await harness.store.claim("a1");
      const at = harness.clock.now();
      await valves.write({
        commands: [{ commandId: "c1", at, record: {} }],
        waterings: [{ id: "w1", at, watering: {} }],
      });
      harness.clock.advance(DAY + 1);
      await harness.restart();
      const later = (await harness.store.claim("a1")).valves;
      expect(await later.command("c1")).toBeUndefined();
      expect(await later.wateringsSince(0)).toHaveLength(1);
      harness.clock.advance(6 * DAY);
      await harness.restart();
      expect(await (await harness.store.claim("a1")).valves.wateringsSince(0)).toHaveLength(0);
    }));

  test("[ONL-2] learned device presence is stored with the devices' keys", () =>
    withStore(async (harness) => {
      const kept = { key: "sensor:1", gaps: [600_000, 601_000], offline: true };
      await (await harness.store.claim("a1")).keepPresence([kept]);
      await harness.restart();
      expect(await (await harness.store.claim("a1")).presence()).toEqual([kept]);
    }));

  test("[CRED-1] watched accounts are found again, and accounts with an open intent", () =>
    withStore(async (harness) => {
      await harness.store.claim("a1");
      await harness.store.watchAccount("a1");
      await harness.store.watchAccount("a3");
      await harness.store.unwatchAccount("a3");
      const { valves } = await harness.store.claim("a2");
      await valves.write({ intents: [{ channelKey: "channel:1", intent: {} }] });
      await harness.restart();
      expect(await harness.store.watchedAccounts()).toEqual(["a1", "a2"]);
    }));

  test("[ingest] the newest notification is stored", () =>
    withStore(async (harness) => {
      const account = await harness.store.claim("a1");
      expect(await account.notified()).toBeNull();
      await account.keepNotified({ at: 5, keys: ["n1"] });
      await harness.restart();
      expect(await (await harness.store.claim("a1")).notified()).toEqual({ at: 5, keys: ["n1"] });
    }));

  test("[WAT-4] the span in which an account was watched is stored", () =>
    withStore(async (harness) => {
      const account = await harness.store.claim("a1");
      expect(await account.watchedSpan()).toBeNull();
      await account.keepWatchedSpan({ since: 5, until: 9 });
      await account.keepWatchedSpan({ since: 5, until: 12 });
      await harness.restart();
      expect(await (await harness.store.claim("a1")).watchedSpan()).toEqual({ since: 5, until: 12 });
      expect(await (await harness.store.claim("a2")).watchedSpan()).toBeNull();
    }));

  test("[ALM-1] alarms survive a restart; null removes one, and the oldest changes are dropped first", () =>
    withStore(async (harness) => {
      const { alarms } = await harness.store.claim("a1");
      await alarms.write([
        { id: "b", at: 20, alarm: { active: true } },
        { id: "a", at: 30, alarm: { active: true } },
        { id: "c", at: 10, alarm: { active: false } },
      ]);
      await alarms.write([{ id: "b", at: 40, alarm: null }]);
      await harness.restart();
      const later = (await harness.store.claim("a1")).alarms;
      expect(await later.all()).toEqual([
        { id: "c", alarm: { active: false } },
        { id: "a", alarm: { active: true } },
      ]);
      expect(await (await harness.store.claim("a2")).alarms.all()).toEqual([]);
      await later.write(
        Array.from({ length: STORE_LIMITS.alarms - 1 }, (_, n) => ({ id: `n${n}`, at: 100 + n, alarm: {} })),
      );
      const kept = (await later.all()).map(({ id }) => id);
      expect(kept).toHaveLength(STORE_LIMITS.alarms);
      expect(kept.slice(0, 2)).toEqual(["a", "n0"]);
    }));

  test("[NODE-4] settings are one object per account, replaced as a whole, and bounded", () =>
    withStore(async (harness) => {
      const { settings } = await harness.store.claim("a1");
      expect(await settings.get()).toBeUndefined();
      await settings.put({ meters: { "channel:1": "sensor:7" }, adoptExternal: true });
      const chosen = { adoptExternal: false, channels: { "11": { name: "1동 앞 베드 · 🍅" } } };
      await settings.put(chosen);
      await harness.restart();
      const later = (await harness.store.claim("a1")).settings;
      expect(await later.get()).toEqual(chosen);
      await expect(later.put({ text: "x".repeat(STORE_LIMITS.settingsBytes) })).rejects.toBeInstanceOf(
        RangeError,
      );
      expect(await later.get()).toEqual(chosen);
    }));

  test("[CRED-1] encrypted sessions of the relay survive a restart, and are deleted on request", () =>
    withStore(async (harness) => {
      await harness.store.sessions.put("a1", "sealed-1");
      await harness.store.sessions.put("a1", "sealed-2");
      await harness.store.sessions.put("a2", "other");
      await harness.restart();
      expect(await harness.store.sessions.get("a1")).toBe("sealed-2");
      await harness.store.sessions.drop("a1");
      expect(await harness.store.sessions.get("a1")).toBeNull();
      expect(await harness.store.sessions.get("a2")).toBe("other");
    }));

  test("[AUTH-3] proofs of tokens are found by their hash until they end or are deleted", () =>
    withStore(async ({ store, clock }) => {
      const until = store.now() + 60_000;
      await store.proofs.put("hash-1", { accountId: "a1" }, until);
      await store.proofs.put("hash-2", { accountId: "a2" }, until);
      await store.proofs.put("hash-3", { accountId: "a3" }, store.now() - 1);
      expect(await store.proofs.get("hash-1")).toEqual({ accountId: "a1" });
      expect(await store.proofs.get("hash-3")).toBeUndefined();
      await store.proofs.drop("hash-2");
      expect(await store.proofs.get("hash-2")).toBeUndefined();
      clock.advance(60_001);
      expect(await store.proofs.get("hash-1")).toBeUndefined();
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

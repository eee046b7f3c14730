import type { Account } from "@mulkko/shared/entities/account";
import {
  CODE_LIFE_SECONDS,
  DISPLAY_TOKEN_PREFIX,
  type Display,
  type DisplaySettings,
  PAIRING_INTERVAL_SECONDS,
  type PairingAnswer,
  type PairingCode,
  PendingCode,
} from "@mulkko/shared/rest/displays";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { hashOf, type PairingRandom, readCode } from "../store/display-codes.ts";
import { accountIdOf, type DisplayRecord, displayAccount, displayOf } from "../store/display-record.ts";
import type { DisplayStore } from "../store/display-store.ts";
import { sameJson } from "../store/json.ts";
import { displacedBy } from "./displaced-code.ts";
import type { DisplayActivity } from "./display-activity.ts";
import type { DisplayRegistry } from "./display-registry.ts";
import { DISPLAY_LIMITS } from "./limits.ts";
import { createPollPace, type IssuedTokens } from "./pairing-answers.ts";

/** A screen's description of itself in its request for a code. */
const Asked = Type.Pick(PendingCode, ["agent", "address"]);

export type Approval = { ok: true; display: Display } | { ok: false; why: "no-code" | "too-many" };

/** Pair screens, and manage the paired ones (RFC 8628). All rejects are `StoreUnavailableError`s. */
export interface DisplayService {
  /** Create a code, or return null at the limit of pending codes. */
  askCode(agent: string, address: string): Promise<PairingCode | null>;
  /** Count a guess over all nodes. Return false beyond the limit of the address or the account. */
  mayGuess(address: string, accountId: string): Promise<boolean>;
  /** Return the pending code, or null if it is invalid or not pending. */
  pending(typed: string): Promise<PendingCode | null>;
  approve(typed: string, settings: DisplaySettings, account: Account): Promise<Approval>;
  /**
   * Return the answer to a screen that asks for its approval. The token is given once, and once more if the
   * answer was lost.
   */
  collect(deviceCode: string): Promise<PairingAnswer>;
  /** List the displays of one account, or of all, the newest first. */
  list(accountId: string | null): Promise<Display[]>;
  /** Return the accounts that have displays. */
  accounts(): ReadonlySet<string>;
  record(id: string): DisplayRecord | undefined;
  /** Change the settings; return null if the display was revoked meanwhile. */
  change(record: DisplayRecord, settings: DisplaySettings): Promise<Display | null>;
  /** Apply the changed account of its displays. */
  refresh(account: Account): Promise<void>;
  revoke(id: string): Promise<boolean>;
  /** Revoke all displays of an account. Return their number. */
  revokeOf(accountId: string): Promise<number>;
  /** Revoke the displays paired before their account's time, ms UTC. Return their number. */
  revokePairedBefore(times: ReadonlyMap<string, number>): Promise<number>;
  /** Suspend all displays of an account, or resume them. Return the number of changed ones. */
  suspendOf(accountId: string, suspended: boolean): Promise<number>;
  /** Return true if an administrator paired a display with this account. */
  isAdministrators(accountId: string): boolean;
  /** Return the accounts whose displays are suspended. */
  suspendedAccounts(): ReadonlySet<string>;
  shown(record: DisplayRecord): Promise<Display>;
  /** Remove displays that were not seen for half a year, and approved ones whose token was never fetched. */
  prune(): Promise<number>;
}

/** Attempts to draw an unused code. */
const DRAWS = 5;

export function createDisplayService(deps: {
  store: DisplayStore;
  registry: DisplayRegistry;
  displayActivity: Pick<DisplayActivity, "all" | "asked">;
  clock: Clock;
  random: PairingRandom;
  issuedTokens: IssuedTokens;
  newId: () => string;
}): DisplayService {
  const { store, registry, displayActivity, clock, random, issuedTokens, newId } = deps;
  const pace = createPollPace();
  const now = (): number => Math.floor(clock.now());
  const shown = async (record: DisplayRecord): Promise<Display> =>
    displayOf(record, (await displayActivity.all()).get(record.id), now());
  const changed = (record: DisplayRecord, change: Partial<DisplayRecord>): DisplayRecord => ({
    ...record,
    ...change,
    changedAt: Math.max(now(), record.changedAt + 1),
  });

  const waitingCodes = async () =>
    (await store.codes.everyWaiting()).map(({ code, asked }) => {
      const parsed = parse(Asked, asked);
      return { code, address: parsed.ok ? parsed.value.address : "" };
    });

  return {
    async askCode(agent, address) {
      const deviceCode = random.secret();
      const expiresAt = now() + CODE_LIFE_SECONDS * 1_000;
      const entry = { device: hashOf(deviceCode), asked: { agent, address }, expiresAt };
      for (let draw = 0; draw < DRAWS; draw += 1) {
        const code = random.code();
        const opened = await store.codes.open(code, entry, DISPLAY_LIMITS.codes);
        if (opened === "taken") continue;
        if (opened === "full") {
          const displaced = displacedBy(address, await waitingCodes());
          if (displaced === null) return null;
          await store.codes.withdraw(displaced);
          continue;
        }
        return {
          code,
          deviceCode,
          expiresInSeconds: CODE_LIFE_SECONDS,
          intervalSeconds: PAIRING_INTERVAL_SECONDS,
          approvePath: `/displays?code=${code}`,
        };
      }
      return null;
    },
    async mayGuess(address, accountId) {
      const { guessesPerAddress, guessesPerAccount, windowMs } = DISPLAY_LIMITS;
      const [ofAddress, ofAccount] = await Promise.all([
        store.codes.guessed(`address:${address}`, windowMs),
        store.codes.guessed(`account:${accountId}`, windowMs),
      ]);
      return ofAddress <= guessesPerAddress && ofAccount <= guessesPerAccount;
    },
    async pending(typed) {
      const code = readCode(typed);
      const found = code === null ? undefined : await store.codes.waiting(code);
      const asked = parse(Asked, found?.asked);
      if (code === null || !found || !asked.ok) return null;
      return { code, expiresAt: new Date(found.expiresAt).toISOString(), ...asked.value };
    },
    async approve(typed, settings, account) {
      const code = readCode(typed);
      if (code === null || !(await store.codes.waiting(code))) return { ok: false, why: "no-code" };
      const accountId = String(account.id);
      const all = registry.all();
      const own = all.filter((one) => accountIdOf(one) === accountId);
      if (own.length >= DISPLAY_LIMITS.perAccount || all.length >= DISPLAY_LIMITS.displays) {
        return { ok: false, why: "too-many" };
      }
      const at = now();
      const record: DisplayRecord = {
        id: newId(),
        account: displayAccount(account),
        settings,
        tokenHash: null,
        createdAt: at,
        changedAt: at,
      };
      // Store the display before the code: a screen that learns of its approval must find it.
      await registry.add(record);
      if (await store.codes.approve(code, record.id)) {
        return { ok: true, display: displayOf(record, undefined, at) };
      }
      await registry.remove(record.id);
      return { ok: false, why: "no-code" };
    },
    async collect(deviceCode) {
      const device = hashOf(deviceCode);
      if (pace.tooSoon(device, clock.monotonic())) return { state: "slowDown" };
      const codeState = await store.codes.poll(device);
      if (codeState.kind === "waiting") return { state: "pending" };
      pace.forget(device);
      const isFirst = codeState.kind === "approved";
      const displayId = isFirst ? codeState.displayId : issuedTokens.reissue(device, clock.monotonic());
      if (displayId === undefined) return { state: "expired" };
      if (!registry.byId(displayId)) await registry.look();
      const approved = registry.byId(displayId);
      if (!approved) return { state: "expired" };
      const token = DISPLAY_TOKEN_PREFIX + random.secret();
      const record = changed(approved, { tokenHash: hashOf(token) });
      if (!(await registry.replace(record))) return { state: "expired" };
      displayActivity.asked(record.id);
      if (isFirst) issuedTokens.issued(device, record.id, clock.monotonic());
      return { state: "approved", token, display: await shown(record) };
    },
    async list(accountId) {
      const seen = await displayActivity.all();
      return registry
        .all()
        .filter((record) => accountId === null || accountIdOf(record) === accountId)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
        .map((record) => displayOf(record, seen.get(record.id), now()));
    },
    accounts: () => new Set(registry.all().map(accountIdOf)),
    record: (id) => registry.byId(id),
    async change(record, settings) {
      const next = changed(record, { settings });
      return (await registry.replace(next)) ? shown(next) : null;
    },
    async refresh(account) {
      const fresh = displayAccount(account);
      for (const record of registry.all()) {
        if (accountIdOf(record) !== String(account.id) || sameJson(record.account, fresh)) continue;
        await registry.replace(changed(record, { account: fresh }));
      }
    },
    revoke: (id) => registry.remove(id),
    async revokeOf(accountId) {
      const own = registry.all().filter((record) => accountIdOf(record) === accountId);
      await registry.end(own.map(({ id }) => ({ id, record: null })));
      return own.length;
    },
    async revokePairedBefore(times) {
      // Without the store the displays that this node knows end all the same.
      const looked = registry.look();
      await looked.catch(() => undefined);
      const older = registry
        .all()
        .filter((record) => record.createdAt < (times.get(accountIdOf(record)) ?? Number.NEGATIVE_INFINITY));
      await registry.end(older.map(({ id }) => ({ id, record: null })));
      await looked;
      return older.length;
    },
    async suspendOf(accountId, suspended) {
      const others = registry
        .all()
        .filter((record) => accountIdOf(record) === accountId && (record.suspended ?? false) !== suspended);
      const next = others.map((record) => changed(record, { suspended }));
      if (suspended) await registry.end(next.map((record) => ({ id: record.id, record })));
      else for (const record of next) await registry.replace(record);
      return others.length;
    },
    isAdministrators: (accountId) =>
      registry
        .all()
        .some((record) => accountIdOf(record) === accountId && record.account.userType === "ADMIN"),
    suspendedAccounts: () =>
      new Set(
        registry
          .all()
          .filter(({ suspended }) => suspended)
          .map(accountIdOf),
      ),
    shown,
    async prune() {
      const seen = await displayActivity.all();
      const at = now();
      const over = registry.all().filter(({ id, tokenHash, createdAt }) => {
        if (tokenHash === null) return at - createdAt > DISPLAY_LIMITS.unfetchedMs;
        return at - (seen.get(id)?.at ?? createdAt) > DISPLAY_LIMITS.unseenMs;
      });
      for (const { id } of over) await registry.remove(id);
      return over.length;
    },
  };
}

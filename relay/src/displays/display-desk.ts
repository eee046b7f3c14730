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
import { sameJson } from "../core/diff.ts";
import type { DisplayStore } from "../store/display-store.ts";
import { hashOf, type Lots, readCode } from "./codes.ts";
import type { DisplayBook } from "./display-book.ts";
import { accountIdOf, type DisplayRecord, displayAccount, displayOf } from "./display-record.ts";
import { DISPLAY_LIMITS } from "./limits.ts";
import type { LostAnswers } from "./lost-answers.ts";
import { createPollPace } from "./poll-pace.ts";
import type { Sightings } from "./sightings.ts";

/** What a screen says of itself as it asks for a code. */
const Asked = Type.Pick(PendingCode, ["agent", "address"]);

export type Approval = { ok: true; display: Display } | { ok: false; why: "no-code" | "too-many" };

/** Pairing screens, and minding those that are paired (RFC 8628). All rejects are `StoreUnavailableError`s. */
export interface DisplayDesk {
  /** Null: as many codes wait as may. */
  askCode(agent: string, address: string): Promise<PairingCode | null>;
  /** Counts a guess, over all nodes. False where it is one too many of the address or the account. */
  mayGuess(address: string, accountId: string): Promise<boolean>;
  /** Null for what is no code, or none that waits. */
  pending(typed: string): Promise<PendingCode | null>;
  approve(typed: string, settings: DisplaySettings, account: Account): Promise<Approval>;
  /** What a screen hears that asks whether it was approved; the token is given once, and once more where it was not heard. */
  collect(deviceCode: string): Promise<PairingAnswer>;
  /** Of one account, or of all: those that were paired last come first. */
  list(accountId: string | null): Promise<Display[]>;
  /** The accounts that have displays. */
  accounts(): ReadonlySet<string>;
  record(id: string): DisplayRecord | undefined;
  /** Null where it was revoked meanwhile. */
  change(record: DisplayRecord, settings: DisplaySettings): Promise<Display | null>;
  /** What is known of the account is otherwise than when it paired its displays. */
  refresh(account: Account): Promise<void>;
  revoke(id: string): Promise<boolean>;
  /** Revokes all displays of an account. Returns how many. */
  revokeOf(accountId: string): Promise<number>;
  /** Suspends all displays of an account, or lets them go on. Returns how many were otherwise before. */
  suspendOf(accountId: string, suspended: boolean): Promise<number>;
  /** True if some display was paired by an administrator with this account. */
  isAdministrators(accountId: string): boolean;
  /** Accounts whose displays are suspended. */
  suspendedAccounts(): ReadonlySet<string>;
  shown(record: DisplayRecord): Promise<Display>;
  /** Takes out what nobody has seen for half a year, and what no screen ever fetched its token for. */
  prune(): Promise<number>;
}

/** Times that a code is drawn anew where it is taken. */
const DRAWS = 5;

export function createDisplayDesk(parts: {
  store: DisplayStore;
  book: DisplayBook;
  sightings: Pick<Sightings, "all" | "asked">;
  clock: Clock;
  lots: Lots;
  lost: LostAnswers;
  newId: () => string;
}): DisplayDesk {
  const { store, book, sightings, clock, lots, lost, newId } = parts;
  const pace = createPollPace();
  const now = (): number => Math.floor(clock.now());
  const shown = async (record: DisplayRecord): Promise<Display> =>
    displayOf(record, (await sightings.all()).get(record.id), now());
  const changed = (record: DisplayRecord, change: Partial<DisplayRecord>): DisplayRecord => ({
    ...record,
    ...change,
    changedAt: Math.max(now(), record.changedAt + 1),
  });

  return {
    async askCode(agent, address) {
      const deviceCode = lots.secret();
      const expiresAt = now() + CODE_LIFE_SECONDS * 1_000;
      const entry = { device: hashOf(deviceCode), asked: { agent, address }, expiresAt };
      for (let draw = 0; draw < DRAWS; draw += 1) {
        const code = lots.code();
        const opened = await store.codes.open(code, entry, DISPLAY_LIMITS.codes);
        if (opened === "taken") continue;
        if (opened === "full") return null;
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
      const all = book.all();
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
      // First the display, then the code: a screen that hears of its approval finds what was approved.
      await book.add(record);
      if (await store.codes.approve(code, record.id)) {
        return { ok: true, display: displayOf(record, undefined, at) };
      }
      await book.remove(record.id);
      return { ok: false, why: "no-code" };
    },
    async collect(deviceCode) {
      const device = hashOf(deviceCode);
      if (pace.tooSoon(device, clock.monotonic())) return { state: "slowDown" };
      const standing = await store.codes.take(device);
      if (standing.kind === "waiting") return { state: "pending" };
      pace.forget(device);
      const isFirst = standing.kind === "approved";
      const displayId = isFirst ? standing.displayId : lost.again(device, clock.monotonic());
      if (displayId === undefined) return { state: "expired" };
      if (!book.byId(displayId)) await book.look();
      const approved = book.byId(displayId);
      if (!approved) return { state: "expired" };
      const token = DISPLAY_TOKEN_PREFIX + lots.secret();
      const record = changed(approved, { tokenHash: hashOf(token) });
      if (!(await book.replace(record))) return { state: "expired" };
      sightings.asked(record.id);
      if (isFirst) lost.said(device, record.id, clock.monotonic());
      return { state: "approved", token, display: await shown(record) };
    },
    async list(accountId) {
      const seen = await sightings.all();
      return book
        .all()
        .filter((record) => accountId === null || accountIdOf(record) === accountId)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
        .map((record) => displayOf(record, seen.get(record.id), now()));
    },
    accounts: () => new Set(book.all().map(accountIdOf)),
    record: book.byId,
    async change(record, settings) {
      const next = changed(record, { settings });
      return (await book.replace(next)) ? shown(next) : null;
    },
    async refresh(account) {
      const fresh = displayAccount(account);
      for (const record of book.all()) {
        if (accountIdOf(record) !== String(account.id) || sameJson(record.account, fresh)) continue;
        await book.replace(changed(record, { account: fresh }));
      }
    },
    revoke: book.remove,
    async revokeOf(accountId) {
      const own = book.all().filter((record) => accountIdOf(record) === accountId);
      for (const { id } of own) await book.remove(id);
      return own.length;
    },
    async suspendOf(accountId, suspended) {
      const others = book
        .all()
        .filter((record) => accountIdOf(record) === accountId && (record.suspended ?? false) !== suspended);
      for (const record of others) await book.replace(changed(record, { suspended }));
      return others.length;
    },
    isAdministrators: (accountId) =>
      book.all().some((record) => accountIdOf(record) === accountId && record.account.userType === "ADMIN"),
    suspendedAccounts: () =>
      new Set(
        book
          .all()
          .filter(({ suspended }) => suspended)
          .map(accountIdOf),
      ),
    shown,
    async prune() {
      const seen = await sightings.all();
      const at = now();
      const over = book.all().filter(({ id, tokenHash, createdAt }) => {
        if (tokenHash === null) return at - createdAt > DISPLAY_LIMITS.unfetchedMs;
        return at - (seen.get(id)?.at ?? createdAt) > DISPLAY_LIMITS.unseenMs;
      });
      for (const { id } of over) await book.remove(id);
      return over.length;
    },
  };
}

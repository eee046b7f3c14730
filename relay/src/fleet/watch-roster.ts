import type { UnwatchedReason } from "@mulkko/shared/live/fleet";
import { relayAccounts } from "@mulkko/shared/rest/operations/relay-calls";
import { type ValveAccount, ValveAccounts } from "@mulkko/shared/rest/valve-accounts";
import type { WatchEnd } from "@mulkko/shared/rest/watch";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import pLimit from "p-limit";
import type { WatchService } from "../access/account-access.ts";
import type { Log } from "../runtime/log.ts";
import { createListeners } from "../store/streams/listeners.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { NoAccessError, UpstreamError } from "../upstream/errors.ts";
import type { RelayKey } from "../upstream/relay-key.ts";

export interface WatchRosterDeps {
  readonly client: Pick<UpstreamClient, "get">;
  readonly relayKey: RelayKey;
  readonly capabilities: Pick<CapabilitySource, "listen">;
  /** True while this node owns the fleet: one node lists, each account's owner watches. */
  readonly isHere: () => boolean;
  /** Ask an account's owner, on any node, how it is watched. */
  readonly watch: Pick<WatchService, "request">;
  /** Have an account's owner, on any node, read and watch the account. Rejects with an `UpstreamError`. */
  readonly begin: (accountId: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** Why accounts with valves are not watched, for the fleet's sums (WATCH-3). */
export interface WatchStates {
  /**
   * Return the reason. Null: the account is watched, or is being asked. Undefined: it is not known here.
   */
  reasonOf(accountId: string): UnwatchedReason | null | undefined;
  /** Return the number of its devices with valves; null where that is not known here. */
  valveDevicesOf(accountId: string): number | null;
  /** Note an account with valves that no owner reports: it is asked again. */
  noteUnreported(accountId: string): void;
  /** Subscribe to changes of accounts. Return the unsubscribe function. */
  listen(listener: (accountId: string) => void): () => void;
}

/** ms between two readings of the list. */
export const LIST_EVERY_MS = 30_000;
/** ms after which a node that does not own the fleet checks this again. */
const TAKEOVER_MS = 3_000;
/** ms after which a watched account's owner is asked again. */
export const CHECK_AGAIN_MS = 300_000;
/** Accounts whose owners are asked, or read, at the same time: the first hour must not be a stampede. */
const AT_ONCE = 4;
/** Most accounts that are watched, and most pages that are read to name the others. */
const WATCHED_AT_MOST = 10_000;
const PAGES_AT_MOST = 100;
const PAGE_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;

const REASONS: Readonly<Record<WatchEnd, UnwatchedReason>> = {
  stopped: "stopped-by-owner",
  refused: "refused",
  "password-changed": "password-changed",
  "secret-lost": "secret-lost",
};

interface Entry {
  /** Null where the account was not named by the list. */
  devices: number | null;
  /** Null: watched, or not asked yet. */
  reason: UnwatchedReason | null;
  /** Monotonic ms of the last answer of its owner; null: never asked. */
  checkedAt: number | null;
  isAsking: boolean;
}

/**
 * Watches every account with valves from its registration on (WATCH-1). It lists those accounts by the
 * extension `relay-accounts`, and has the owner of each read it; the owner then keeps it on the watch list,
 * over restarts and takeovers.
 *
 * An account passes these states:
 *
 *     listed ──> starting ──read──> watched ──owner stopped, refused, silent──> unwatched (reason)
 *                    │                 ^                                            │
 *                    └──not read──> unwatched (reason) ──asked again, read─────────┘
 *     listed as disabled, or beyond the limit ──> unwatched, not asked
 *     no longer listed ──> forgotten
 *
 * Without that extension it names the reason of the accounts that the fleet does not find reported.
 */
export class WatchRoster implements WatchStates {
  readonly #deps: WatchRosterDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #inTurn = pLimit(AT_ONCE);
  readonly #changed: ReturnType<typeof createListeners<string>>;
  readonly #stop: () => void;
  #timer: { cancel(): void };
  #isLooking = false;
  #closed = false;

  constructor(deps: WatchRosterDeps) {
    this.#deps = deps;
    this.#changed = createListeners<string>((error) =>
      deps.log.error({ event: "watch-roster-listener-failed", err: error }, "listener of the roster failed"),
    );
    this.#stop = deps.capabilities.listen(() => this.lookSoon());
    this.#timer = deps.timers.after(0, () => this.#tick());
  }

  reasonOf(accountId: string): UnwatchedReason | null | undefined {
    return this.#entries.get(accountId)?.reason;
  }

  valveDevicesOf(accountId: string): number | null {
    return this.#entries.get(accountId)?.devices ?? null;
  }

  noteUnreported(accountId: string): void {
    const known = this.#entries.get(accountId);
    if (known) {
      if (known.reason === null) known.checkedAt = null;
      return;
    }
    // The list names the others.
    if (this.#key() !== undefined || this.#entries.size >= WATCHED_AT_MOST) return;
    this.#entries.set(accountId, { devices: null, reason: null, checkedAt: null, isAsking: false });
  }

  listen(listener: (accountId: string) => void): () => void {
    return this.#changed.add(listener);
  }

  /** Read the list now. */
  lookSoon(): void {
    if (this.#closed) return;
    this.#timer.cancel();
    this.#timer = this.#deps.timers.after(0, () => this.#tick());
  }

  close(): void {
    this.#closed = true;
    this.#timer.cancel();
    this.#stop();
    this.#inTurn.clearQueue();
  }

  #key(): string | undefined {
    return this.#deps.relayKey("relay-accounts");
  }

  #tick(): void {
    const { isHere, timers } = this.#deps;
    this.#timer = timers.after(isHere() ? LIST_EVERY_MS : TAKEOVER_MS, () => this.#tick());
    void this.#look();
  }

  async #look(): Promise<void> {
    const { isHere, log } = this.#deps;
    if (this.#isLooking) return;
    if (!isHere()) {
      this.#entries.clear();
      return;
    }
    this.#isLooking = true;
    try {
      const key = this.#key();
      if (key !== undefined) this.#reconcile(await this.#list(key));
    } catch (error) {
      // The link monitor reports an unavailable API; the accounts known so far stay.
      if (error instanceof UpstreamError)
        log.debug({ event: "watch-roster-unread", err: error }, "cannot list accounts with valves");
      else log.error({ event: "watch-roster-failed", err: error }, "listing accounts with valves failed");
    } finally {
      this.#isLooking = false;
    }
    this.#askDue();
  }

  async #list(relayKey: string): Promise<ValveAccount[]> {
    const accounts: ValveAccount[] = [];
    let after: string | null = null;
    for (let page = 0; page < PAGES_AT_MOST; page += 1) {
      const answer: ValveAccounts = await this.#deps.client.get(relayAccounts.path, ValveAccounts, {
        headers: { relayKey },
        ...(after !== null && { query: { after } }),
        limits: { ms: TIMEOUT_MS, bytes: PAGE_BYTES },
        unit: "accounts",
      });
      accounts.push(...answer.accounts);
      after = answer.next;
      if (after === null) return accounts;
    }
    this.#deps.log.warn({ event: "watch-roster-too-long" }, "more accounts with valves than can be named");
    return accounts;
  }

  #reconcile(accounts: readonly ValveAccount[]): void {
    const listed = new Set<string>();
    for (const [place, { userId, devices, disabled }] of accounts.entries()) {
      const accountId = String(userId);
      listed.add(accountId);
      const known = this.#entries.get(accountId);
      const entry = known ?? { devices, reason: "starting", checkedAt: null, isAsking: false };
      this.#entries.set(accountId, entry);
      const isChanged = known === undefined || known.devices !== devices;
      entry.devices = devices;
      const fixed = disabled ? "disabled" : place >= WATCHED_AT_MOST ? "limit" : null;
      const isFreed = fixed === null && (entry.reason === "disabled" || entry.reason === "limit");
      if (isFreed) entry.checkedAt = null;
      this.#become(accountId, entry, fixed ?? (isFreed ? "starting" : entry.reason), isChanged);
    }
    for (const accountId of this.#entries.keys()) {
      if (listed.has(accountId)) continue;
      this.#entries.delete(accountId);
      this.#changed.call(accountId);
    }
  }

  #become(accountId: string, entry: Entry, reason: UnwatchedReason | null, isChanged = false): void {
    const before = entry.reason;
    entry.reason = reason;
    if (before !== reason || isChanged) this.#changed.call(accountId);
  }

  /** Ask the owners of all accounts that are not watched, and from time to time those of the others. */
  #askDue(): void {
    const now = this.#deps.clock.monotonic();
    for (const [accountId, entry] of this.#entries) {
      const { reason, checkedAt, isAsking } = entry;
      if (isAsking || reason === "disabled" || reason === "limit") continue;
      const isSettled = reason === null || this.#key() === undefined;
      if (isSettled && checkedAt !== null && now - checkedAt < CHECK_AGAIN_MS) continue;
      entry.isAsking = true;
      void this.#inTurn(() => this.#ask(accountId, entry));
    }
  }

  async #ask(accountId: string, entry: Entry): Promise<void> {
    const reason = await this.#outcome(accountId);
    entry.isAsking = false;
    entry.checkedAt = this.#deps.clock.monotonic();
    if (this.#closed || this.#entries.get(accountId) !== entry) return;
    // The list may have named it as disabled meanwhile.
    if (entry.reason === "disabled" || entry.reason === "limit") return;
    this.#become(accountId, entry, reason);
  }

  /** Have the account watched, and return the reason if it cannot be. */
  async #outcome(accountId: string): Promise<UnwatchedReason | null> {
    const { watch, begin, log } = this.#deps;
    const isListed = this.#key() !== undefined;
    try {
      const { by, ended } = await watch.request(accountId, "state");
      if (by === "nobody" && ended !== null) return REASONS[ended];
      // Only a session of the API's own comes without the owner.
      if (by === "nobody" && !isListed) return "no-session";
      await begin(accountId);
      return null;
    } catch (error) {
      if (error instanceof NoAccessError) return isListed ? "refused" : "no-session";
      const fields = { event: "account-not-watched", err: error, account: accountId };
      if (error instanceof UpstreamError) log.debug(fields, "cannot watch account yet");
      else log.warn(fields, "cannot watch account yet");
      return "unreadable";
    }
  }
}

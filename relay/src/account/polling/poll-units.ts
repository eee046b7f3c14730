import type { Clock, Random, Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../../runtime/log.ts";
import { notPersisted, StoreUnavailableError } from "../../store/errors.ts";
import type { AccountStore } from "../../store/store.ts";
import { UpstreamError } from "../../upstream/errors.ts";
import { SPREAD_MS } from "./poll-pacing.ts";

/**
 * Validity of a claim, ms: after a longer pause between claim and request this node may no longer be the
 * owner.
 */
const CLAIM_GOOD_MS = 1_000;

/** One kind of request for one account, repeated at an interval (POLL-1). */
export interface PollUnit {
  /** Unique within the account, e.g. `channel:11`. */
  readonly name: string;
  /**
   * Return the present interval in ms; null: do not poll.
   * @param isUnreported true for the interval that it would have if the farm API reported nothing
   */
  interval(isUnreported: boolean): number | null;
  /** False for units that never stretch: open channels. */
  stretches(): boolean;
  /** True for units that are polled before the others. */
  urgent(): boolean;
  /** Send the request and deliver the answer. Rejects with an `UpstreamError`. */
  ask(options: { urgent: boolean }): Promise<void>;
  /** Called when the last request failed. */
  failed?(error: UpstreamError): void;
}

export interface PollUnitsDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  /** Factor by which intervals are stretched. */
  readonly stretch: () => number;
  readonly claims: PollClaims;
  /** Called when the store did not accept a claim, so the unit was not polled (NODE-3). */
  readonly onUnclaimed?: () => void;
}

/** Polls as the store records them, for the next owner (POLL-2). */
export interface PollClaims {
  /** Record a request before it is sent. Rejects once the owner is stale. */
  claim(unit: string): Promise<void>;
  /** Return the ms since the previous owner polled a unit; undefined: unknown. */
  ago(unit: string): number | undefined;
  /** Drop the previous owner's polls: the account is read from the beginning. */
  forget(): void;
}

/** Load the polls of the previous owner. `store` is the claimed account; `now` returns store time, ms UTC. */
export async function loadPollClaims(
  store: Pick<AccountStore, "claims" | "claimUnit">,
  now: () => number,
): Promise<PollClaims> {
  const claims = new Map((await store.claims()).map(({ unit, at }) => [unit, at]));
  return {
    claim: store.claimUnit,
    ago(unit) {
      const at = claims.get(unit);
      return at === undefined ? undefined : Math.max(0, now() - at);
    },
    forget: () => claims.clear(),
  };
}

const present = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

interface Scheduled {
  readonly unit: PollUnit;
  /** Monotonic ms of the last request or its equivalent; null: never polled. */
  askedAt: number | null;
  /** Monotonic ms; null: not due. */
  dueAt: number | null;
  asking: Promise<void> | undefined;
  /**
   * Requested due time, whatever the interval; set during a request it makes the unit due once more
   * (POLL-8).
   */
  promptAt: number | null;
  failed: boolean;
  /** True until this owner has read a unit of the one before: what was reported meanwhile may be lost. */
  isUnreported: boolean;
  timer: { cancel(): void } | undefined;
}

/** The due times of an account's units; each is polled at most once per interval, and never concurrently. */
export class PollUnits {
  readonly #deps: PollUnitsDeps;
  readonly #scheduled = new Map<string, Scheduled>();
  #closed = false;

  constructor(deps: PollUnitsDeps) {
    this.#deps = deps;
  }

  /**
   * Add a unit, due at once or at a random point of its first interval (POLL-3). A previously claimed unit
   * continues its interval. Return true for such a unit, and for one that exists already.
   */
  add(unit: PollUnit, first: "now" | "spread"): boolean {
    const { clock, random } = this.#deps;
    if (this.#scheduled.has(unit.name) || this.#closed) return true;
    const one: Scheduled = {
      unit,
      askedAt: null,
      dueAt: null,
      asking: undefined,
      promptAt: null,
      failed: false,
      isUnreported: false,
      timer: undefined,
    };
    this.#scheduled.set(unit.name, one);
    const ago = this.#deps.claims.ago(unit.name);
    if (ago !== undefined) {
      one.askedAt = clock.monotonic() - ago;
      one.isUnreported = true;
      const every = this.#interval(one);
      const spread = clock.monotonic() + random() * Math.min(every ?? 0, SPREAD_MS);
      this.#arm(one, every === null ? null : Math.max(one.askedAt + every, spread));
      return true;
    }
    const every = this.#interval(one);
    if (every !== null) this.#arm(one, clock.monotonic() + (first === "now" ? 0 : random() * every));
    return false;
  }

  remove(name: string): void {
    this.#scheduled.get(name)?.timer?.cancel();
    this.#scheduled.delete(name);
  }

  has(name: string): boolean {
    return this.#scheduled.has(name);
  }

  /** Remove the units whose names begin with the prefix, except the wanted ones. */
  prune(prefix: string, wanted: ReadonlySet<string>): void {
    for (const name of this.#scheduled.keys())
      if (name.startsWith(prefix) && !wanted.has(name)) this.remove(name);
  }

  /** Make a unit due in `inMs` at the latest; one in progress is polled once more (POLL-8). */
  due(name: string, inMs: number): void {
    const one = this.#scheduled.get(name);
    if (one) this.#due(one, inMs);
  }

  /** Make a unit due at a random point of the next `withinMs` (POLL-3). */
  dueWithin(name: string, withinMs: number): void {
    const one = this.#scheduled.get(name);
    if (one) this.#due(one, this.#deps.random() * withinMs);
  }

  /** Make a unit due at once, or after a gap from its last request; for repeated triggers. */
  dueAfter(name: string, gapMs: number): void {
    const one = this.#scheduled.get(name);
    if (!one) return;
    const waits = one.askedAt === null ? 0 : one.askedAt + gapMs - this.#deps.clock.monotonic();
    this.#due(one, Math.max(0, waits));
  }

  /** Restart the interval of a unit whose content has just been received (POLL-4). */
  reset(name: string): void {
    const one = this.#scheduled.get(name);
    if (!one || one.asking) return;
    one.askedAt = this.#deps.clock.monotonic();
    this.#armByInterval(one);
  }

  /** Apply changed intervals: of all units, or of one. */
  reschedule(name?: string): void {
    for (const one of name === undefined ? this.#scheduled.values() : present(this.#scheduled.get(name))) {
      if (!one.asking) this.#armByInterval(one);
    }
  }

  /** Make units whose last request failed due, spread over `overMs`. */
  retryFailed(overMs: number): void {
    for (const one of this.#scheduled.values()) {
      if (!one.failed || one.asking) continue;
      one.promptAt = this.#deps.clock.monotonic() + this.#deps.random() * overMs;
      this.#armByInterval(one);
    }
  }

  /** Return the requests per second without stretching: of units that stretch, and of those that do not. */
  demand(): { stretchable: number; fixed: number } {
    const sum = { stretchable: 0, fixed: 0 };
    for (const { unit } of this.#scheduled.values()) {
      const every = unit.interval(false);
      if (every !== null) sum[unit.stretches() ? "stretchable" : "fixed"] += 1_000 / every;
    }
    return sum;
  }

  /** Resolves when the unit has been polled; rejects as it does. */
  async askNow(name: string): Promise<void> {
    const one = this.#scheduled.get(name);
    if (one) await this.#ask(one);
  }

  close(): void {
    this.#closed = true;
    for (const one of this.#scheduled.values()) one.timer?.cancel();
    this.#scheduled.clear();
  }

  #interval({ unit, isUnreported }: Scheduled): number | null {
    const plain = unit.interval(isUnreported);
    return plain === null ? null : unit.stretches() ? plain * this.#deps.stretch() : plain;
  }

  #arm(one: Scheduled, dueAt: number | null): void {
    one.timer?.cancel();
    one.timer = undefined;
    one.dueAt = dueAt;
    if (dueAt === null || this.#closed) return;
    one.timer = this.#deps.timers.after(Math.max(0, Math.ceil(dueAt - this.#deps.clock.monotonic())), () => {
      // `perform` has logged it, and the unit has stored the failure.
      this.#ask(one).catch(() => undefined);
    });
  }

  #armByInterval(one: Scheduled): void {
    const every = this.#interval(one);
    if (every === null) {
      this.#arm(one, one.promptAt);
      return;
    }
    const now = this.#deps.clock.monotonic();
    const first =
      one.dueAt !== null && one.dueAt - now <= every ? one.dueAt : now + this.#deps.random() * every;
    const regular = one.askedAt === null ? first : one.askedAt + every;
    this.#arm(one, Math.max(now, Math.min(one.promptAt ?? regular, regular)));
  }

  async #claim(name: string): Promise<void> {
    const { clock } = this.#deps;
    const since = clock.monotonic();
    await this.#deps.claims.claim(name);
    if (clock.monotonic() - since > CLAIM_GOOD_MS) await this.#deps.claims.claim(name);
  }

  async #perform(one: Scheduled): Promise<void> {
    const { log } = this.#deps;
    const { unit } = one;
    try {
      await this.#claim(unit.name);
      await unit.ask({ urgent: unit.urgent() });
      one.failed = false;
      one.isUnreported = false;
    } catch (error) {
      one.failed = true;
      if (this.#closed) return;
      if (error instanceof UpstreamError) {
        log.debug({ event: "poll-failed", unit: unit.name, err: error }, "poll failed");
        unit.failed?.(error);
      } else {
        if (error instanceof StoreUnavailableError) this.#deps.onUnclaimed?.();
        const fields = { event: "poll-unit-failed", unit: unit.name };
        notPersisted(log, "error", fields, "failed to run poll unit")(error);
      }
      throw error;
    }
  }

  #ask(one: Scheduled): Promise<void> {
    if (one.asking) return one.asking;
    this.#arm(one, null);
    one.askedAt = this.#deps.clock.monotonic();
    one.promptAt = null;
    one.asking = this.#perform(one).finally(() => {
      one.asking = undefined;
      if (!this.#closed && this.#scheduled.get(one.unit.name) === one) this.#armByInterval(one);
    });
    return one.asking;
  }

  #due(one: Scheduled, inMs: number): void {
    const at = this.#deps.clock.monotonic() + inMs;
    one.promptAt = Math.min(at, one.promptAt ?? at);
    if (!one.asking) this.#armByInterval(one);
  }
}

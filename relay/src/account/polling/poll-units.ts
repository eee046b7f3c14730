import type { Clock, Random, Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../../runtime/log.ts";
import { notPersisted, StoreUnavailableError } from "../../store/errors.ts";
import type { AccountStore } from "../../store/store.ts";
import { UpstreamError } from "../../upstream/errors.ts";

/**
 * Validity of a claim, ms: after a longer pause between claim and request this node may no longer be the
 * owner.
 */
const CLAIM_GOOD_MS = 1_000;

/** One kind of request for one account, repeated at an interval (POLL-1). */
export interface PollUnit {
  /** Unique within the account, e.g. `channel:11`. */
  readonly name: string;
  /** Return the present interval in ms; null: do not poll. */
  interval(): number | null;
  /** False for units that never stretch: open channels. */
  stretches(): boolean;
  /** True for units that are polled before the others. */
  urgent(): boolean;
  /** Send the request and deliver the answer. Rejects with an `UpstreamError`. */
  ask(options: { urgent: boolean }): Promise<void>;
  /** Called when the last request failed. */
  failed?(error: UpstreamError): void;
  /**
   * True if the next owner requests it at once unless its last request was answered: a request that was due by a write
   * may be the only one that shows it for a long time (POLL-8).
   */
  readonly isOwed?: boolean;
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
  /** Record that the last request was answered, and that no write came after it. Rejects as {@link claim}. */
  answered(unit: string): Promise<void>;
  /** Return the ms since the previous owner polled a unit; undefined: unknown. */
  ago(unit: string): number | undefined;
  /** Return true if the previous owner had an answer to its last request of a unit. */
  wasAnswered(unit: string): boolean;
  /** Drop the previous owner's polls: the account is read from the beginning. */
  forget(): void;
}

/** Load the polls of the previous owner. `store` is the claimed account; `now` returns store time, ms UTC. */
export async function loadPollClaims(
  store: Pick<AccountStore, "claims" | "claimUnit">,
  now: () => number,
): Promise<PollClaims> {
  const claims = new Map((await store.claims()).map(({ unit, at }) => [unit, at]));
  const answerOf = (unit: string): string => `${unit} answered`;
  return {
    claim: store.claimUnit,
    answered: (unit) => store.claimUnit(answerOf(unit)),
    wasAnswered(unit) {
      const at = claims.get(answerOf(unit));
      return at !== undefined && at >= (claims.get(unit) ?? at);
    },
    ago(unit) {
      const at = claims.get(unit);
      return at === undefined ? undefined : Math.max(0, now() - at);
    },
    forget: () => claims.clear(),
  };
}

/** The due times of an account's units; each is polled at most once per interval, and never concurrently. */
export interface PollUnits {
  /**
   * Add a unit, due at once or at a random point of its first interval (POLL-3). A previously claimed unit
   * continues its interval. Return true for such a unit, and for one that exists already.
   */
  add(unit: PollUnit, first: "now" | "spread"): boolean;
  remove(name: string): void;
  has(name: string): boolean;
  /** Remove the units whose names begin with the prefix, except the wanted ones. */
  prune(prefix: string, wanted: ReadonlySet<string>): void;
  /** Make a unit due in `inMs` at the latest; one in progress is polled once more (POLL-8). */
  due(name: string, inMs: number): void;
  /** Make a unit due at a random point of the next `withinMs` (POLL-3). */
  dueWithin(name: string, withinMs: number): void;
  /** Make a unit due at once, or after a gap from its last request; for repeated triggers. */
  dueAfter(name: string, gapMs: number): void;
  /** Restart the interval of a unit whose content has just been received (POLL-4). */
  reset(name: string): void;
  /** Apply changed intervals: of all units, or of one. */
  reschedule(name?: string): void;
  /** Make units whose last request failed due, spread over `overMs`. */
  retryFailed(overMs: number): void;
  /** Return the requests per second without stretching: of units that stretch, and of those that do not. */
  demand(): { stretchable: number; fixed: number };
  /** Resolves when the unit has been polled; rejects as it does. */
  askNow(name: string): Promise<void>;
  close(): void;
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
  timer: { cancel(): void } | undefined;
}

export function createPollUnits(deps: PollUnitsDeps): PollUnits {
  const { clock, timers, random, log } = deps;
  const scheduled = new Map<string, Scheduled>();
  let closed = false;

  const interval = (unit: PollUnit): number | null => {
    const plain = unit.interval();
    return plain === null ? null : unit.stretches() ? plain * deps.stretch() : plain;
  };
  const arm = (one: Scheduled, dueAt: number | null): void => {
    one.timer?.cancel();
    one.timer = undefined;
    one.dueAt = dueAt;
    if (dueAt === null || closed) return;
    one.timer = timers.after(Math.max(0, Math.ceil(dueAt - clock.monotonic())), () => {
      // `perform` has logged it, and the unit has stored the failure.
      ask(one).catch(() => undefined);
    });
  };
  const armByInterval = (one: Scheduled): void => {
    const every = interval(one.unit);
    if (every === null) {
      arm(one, one.promptAt);
      return;
    }
    const now = clock.monotonic();
    const first = one.dueAt !== null && one.dueAt - now <= every ? one.dueAt : now + random() * every;
    const regular = one.askedAt === null ? first : one.askedAt + every;
    arm(one, Math.max(now, Math.min(one.promptAt ?? regular, regular)));
  };
  const claim = async (name: string): Promise<void> => {
    const since = clock.monotonic();
    await deps.claims.claim(name);
    if (clock.monotonic() - since > CLAIM_GOOD_MS) await deps.claims.claim(name);
  };
  /** Without the record the next owner requests the unit once more. */
  const answered = (name: string): Promise<void> =>
    deps.claims
      .answered(name)
      .catch(
        notPersisted(
          log,
          "warn",
          { event: "poll-answer-not-stored", unit: name },
          "failed to store answered poll",
        ),
      );
  const perform = async (one: Scheduled): Promise<void> => {
    const { unit } = one;
    try {
      await claim(unit.name);
      await unit.ask({ urgent: unit.urgent() });
      one.failed = false;
      if (unit.isOwed && one.promptAt === null && !closed) await answered(unit.name);
    } catch (error) {
      one.failed = true;
      if (closed) return;
      if (error instanceof UpstreamError) {
        log.debug({ event: "poll-failed", unit: unit.name, err: error }, "poll failed");
        unit.failed?.(error);
      } else {
        if (error instanceof StoreUnavailableError) deps.onUnclaimed?.();
        const fields = { event: "poll-unit-failed", unit: unit.name };
        notPersisted(log, "error", fields, "failed to run poll unit")(error);
      }
      throw error;
    }
  };
  const ask = (one: Scheduled): Promise<void> => {
    if (one.asking) return one.asking;
    arm(one, null);
    one.askedAt = clock.monotonic();
    one.promptAt = null;
    one.asking = perform(one).finally(() => {
      one.asking = undefined;
      if (!closed && scheduled.get(one.unit.name) === one) armByInterval(one);
    });
    return one.asking;
  };
  const remove = (name: string): void => {
    scheduled.get(name)?.timer?.cancel();
    scheduled.delete(name);
  };
  const due = (one: Scheduled, inMs: number): void => {
    const at = clock.monotonic() + inMs;
    one.promptAt = Math.min(at, one.promptAt ?? at);
    if (!one.asking) armByInterval(one);
  };

  return {
    add(unit, first) {
      if (scheduled.has(unit.name) || closed) return true;
      const one: Scheduled = {
        unit,
        askedAt: null,
        dueAt: null,
        asking: undefined,
        promptAt: null,
        failed: false,
        timer: undefined,
      };
      scheduled.set(unit.name, one);
      const ago = deps.claims.ago(unit.name);
      if (ago !== undefined && unit.isOwed && !deps.claims.wasAnswered(unit.name)) {
        due(one, 0);
        return true;
      }
      if (ago !== undefined) {
        one.askedAt = clock.monotonic() - ago;
        armByInterval(one);
        return true;
      }
      const every = interval(unit);
      if (every !== null) arm(one, clock.monotonic() + (first === "now" ? 0 : random() * every));
      return false;
    },
    remove,
    has: (name) => scheduled.has(name),
    prune(prefix, wanted) {
      for (const name of scheduled.keys()) if (name.startsWith(prefix) && !wanted.has(name)) remove(name);
    },
    due(name, inMs) {
      const one = scheduled.get(name);
      if (one) due(one, inMs);
    },
    dueWithin(name, withinMs) {
      const one = scheduled.get(name);
      if (one) due(one, random() * withinMs);
    },
    dueAfter(name, gapMs) {
      const one = scheduled.get(name);
      if (!one) return;
      const waits = one.askedAt === null ? 0 : one.askedAt + gapMs - clock.monotonic();
      due(one, Math.max(0, waits));
    },
    reset(name) {
      const one = scheduled.get(name);
      if (!one || one.asking) return;
      one.askedAt = clock.monotonic();
      armByInterval(one);
    },
    reschedule(name) {
      for (const one of name === undefined ? scheduled.values() : present(scheduled.get(name))) {
        if (!one.asking) armByInterval(one);
      }
    },
    retryFailed(overMs) {
      for (const one of scheduled.values()) {
        if (!one.failed || one.asking) continue;
        one.promptAt = clock.monotonic() + random() * overMs;
        armByInterval(one);
      }
    },
    demand() {
      const sum = { stretchable: 0, fixed: 0 };
      for (const { unit } of scheduled.values()) {
        const every = unit.interval();
        if (every !== null) sum[unit.stretches() ? "stretchable" : "fixed"] += 1_000 / every;
      }
      return sum;
    },
    async askNow(name) {
      const one = scheduled.get(name);
      if (one) await ask(one);
    },
    close() {
      closed = true;
      for (const one of scheduled.values()) one.timer?.cancel();
      scheduled.clear();
    },
  };
}

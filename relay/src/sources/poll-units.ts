import type { Clock, Random } from "@mulkko/shared/rules/clock";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { logUnkept } from "../store/log-unkept.ts";
import { UpstreamError } from "../upstream/errors.ts";

/** A claim is worth so much: whoever stood still for longer between it and the request may be no owner any more. */
const CLAIM_GOOD_MS = 1_000;

/** One kind of request for one account, asked again and again (POLL-1). */
export interface PollUnit {
  /** Unique within the account, e.g. `channel:11`. */
  readonly name: string;
  /** ms between two requests as things stand; null: not asked. */
  interval(): number | null;
  /** False for what never stretches: open channels. */
  stretches(): boolean;
  /** Asked ahead of the others. */
  urgent(): boolean;
  /** Asks and delivers. Rejects with an `UpstreamError`. */
  ask(options: { urgent: boolean }): Promise<void>;
  /** The last request failed. */
  failed?(error: UpstreamError): void;
}

export interface PollUnitsParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
  /** Factor by which intervals are stretched. */
  readonly stretch: () => number;
  /** Recorded before each request (POLL-2). Rejects once the owner is a stale one. */
  readonly claim: (unit: string) => Promise<void>;
  /** The store did not take a claim, so that the unit was not asked (NODE-3). */
  readonly onUnclaimed?: () => void;
  /** ms since a unit was claimed by the owner before; undefined: not that anybody knows (POLL-2). */
  readonly claimedAgo?: (unit: string) => number | undefined;
}

/** The due times of an account's units; each is asked once per interval at most, and never twice at once. */
export interface PollUnits {
  /**
   * Adds a unit, due at once or somewhere in its first interval (POLL-3); one that was claimed before goes on from
   * there. Returns true for such a one, and for one that is there already.
   */
  add(unit: PollUnit, first: "now" | "spread"): boolean;
  remove(name: string): void;
  has(name: string): boolean;
  names(): Iterable<string>;
  /** Due in `inMs` at the latest; a unit that is being asked is asked once more (POLL-8). */
  due(name: string, inMs: number): void;
  /** Due at once, or so long after its last request; for what may be wanted again and again. */
  dueAfter(name: string, gapMs: number): void;
  /** What it would ask for has just been heard: its interval begins anew (POLL-4). */
  reset(name: string): void;
  /** Intervals may be others now: of all units, or of one. */
  reschedule(name?: string): void;
  /** Those whose last request failed come due, spread over `overMs`. */
  retryFailed(overMs: number): void;
  /** Requests a second, without stretching: of units that stretch, and of those that do not. */
  demand(): { stretchable: number; fixed: number };
  /** Resolves when the unit has been asked; rejects as it does. */
  askNow(name: string): Promise<void>;
  close(): void;
}

const present = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

interface Scheduled {
  readonly unit: PollUnit;
  /** Monotonic ms of the last request or its equal; null: never asked. */
  askedAt: number | null;
  /** Monotonic ms; null: not due. */
  dueAt: number | null;
  asking: Promise<void> | undefined;
  /** Somebody wants it by then, whatever its interval; set during a request it comes due once more (POLL-8). */
  promptAt: number | null;
  failed: boolean;
  timer: { cancel(): void } | undefined;
}

export function createPollUnits(parts: PollUnitsParts): PollUnits {
  const { clock, timers, random, log } = parts;
  const scheduled = new Map<string, Scheduled>();
  let closed = false;

  const interval = (unit: PollUnit): number | null => {
    const plain = unit.interval();
    return plain === null ? null : unit.stretches() ? plain * parts.stretch() : plain;
  };
  const arm = (one: Scheduled, dueAt: number | null): void => {
    one.timer?.cancel();
    one.timer = undefined;
    one.dueAt = dueAt;
    if (dueAt === null || closed) return;
    one.timer = timers.after(Math.max(0, Math.ceil(dueAt - clock.monotonic())), () => {
      // `perform` has logged it, and the unit knows that it failed.
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
    await parts.claim(name);
    if (clock.monotonic() - since > CLAIM_GOOD_MS) await parts.claim(name);
  };
  const perform = async (one: Scheduled): Promise<void> => {
    const { unit } = one;
    try {
      await claim(unit.name);
      await unit.ask({ urgent: unit.urgent() });
      one.failed = false;
    } catch (error) {
      one.failed = true;
      if (closed) return;
      if (error instanceof UpstreamError) {
        log.debug({ unit: unit.name, err: error }, "a poll failed");
        unit.failed?.(error);
      } else {
        if (error instanceof StoreUnavailableError) parts.onUnclaimed?.();
        logUnkept(log, "error", { unit: unit.name, err: error }, "a poll unit could not be asked");
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
      const ago = parts.claimedAgo?.(unit.name);
      if (ago !== undefined) {
        one.askedAt = clock.monotonic() - ago;
        armByInterval(one);
        return true;
      }
      const every = interval(unit);
      if (every !== null) arm(one, clock.monotonic() + (first === "now" ? 0 : random() * every));
      return false;
    },
    remove(name) {
      scheduled.get(name)?.timer?.cancel();
      scheduled.delete(name);
    },
    has: (name) => scheduled.has(name),
    names: () => scheduled.keys(),
    due(name, inMs) {
      const one = scheduled.get(name);
      if (one) due(one, inMs);
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

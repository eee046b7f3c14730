import type { Clock } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import { addressGroup } from "@mulkko/shared/server/address-group";
import { ApiError } from "../http/api-error.ts";

const WINDOW_MS = 10 * 60_000;
const ATTEMPTS_PER_HOME = 300;
const FAILURES_PER_HOME = 60;
const FAILURES_PER_ADDRESS_AND_NAME = 10;
/** Failures of a name without delay; from then on each doubles it. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Most delayed attempts of one name, and of all names, at the same time. */
const DELAYED_PER_NAME = 4;
const DELAYED_AT_MOST = 64;

/** `unchecked`: the password was not compared, and the attempt does not count. */
export type LoginOutcome = "right" | "wrong" | "unchecked";

/** An attempt whose turn has come. It counts as a failure from its start, so that simultaneous ones count too. */
export interface LoginAttempt {
  /** End it, once. The next delayed attempt of the name begins. */
  end(outcome: LoginOutcome): void;
}

/** An attempt to sign in that asks for its turn. */
export interface LoginTry {
  readonly address: string;
  readonly username: string;
  /** Return true for an address from which the account has signed in before. */
  readonly isKnown: () => Promise<boolean>;
}

interface NameQueue {
  size: number;
  last: Promise<void>;
}

/**
 * Limits of attempts to sign in (SHARE-5). A name is never locked, but its attempts from unknown addresses pass
 * one after another, each after its delay.
 *
 * ```
 *   begun ─▶ refused: too many of the home, of the address for this name, or of the name's delayed ones
 *     ├─ few failures of the name, or a known address ─▶ at once
 *     └─ otherwise ─▶ in the name's queue ─▶ its turn ─ delay ─▶ checked ─▶ ended, and the next one's turn
 * ```
 */
export class LoginLimits {
  readonly #attempts;
  readonly #byHome;
  readonly #byPair;
  readonly #byName;
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #queues = new Map<string, NameQueue>();
  #delayed = 0;

  /** @param wait delays an attempt */
  constructor(clock: Clock, wait: (ms: number) => Promise<unknown>) {
    this.#attempts = createRateLimit(clock, WINDOW_MS);
    this.#byHome = createRateLimit(clock, WINDOW_MS);
    this.#byPair = createRateLimit(clock, WINDOW_MS);
    this.#byName = createRateLimit(clock, WINDOW_MS);
    this.#wait = wait;
  }

  /** Resolves when the password may be checked. @throws ApiError 429 */
  async begin({ address, username, isKnown }: LoginTry): Promise<LoginAttempt> {
    // Names are compared without case.
    const name = username.toLowerCase();
    const home = addressGroup(address, 56);
    const pair = `${addressGroup(address)} ${name}`;
    this.#refuseTooMany(home, pair);
    const failures = this.#byName.get(name).count;
    this.#byHome.add(home);
    this.#byPair.add(pair);
    this.#byName.add(name);
    const count = (outcome: LoginOutcome): void => {
      if (outcome === "wrong") return;
      this.#byHome.takeBack(home);
      if (outcome === "right") {
        this.#byPair.forget(pair);
        this.#byName.forget(name);
      } else {
        this.#byPair.takeBack(pair);
        this.#byName.takeBack(name);
      }
    };
    try {
      if (failures < FREE_FAILURES || (await isKnown())) return { end: count };
      const leave = await this.#enter(name, delayOf(failures));
      return {
        end: (outcome) => {
          count(outcome);
          leave();
        },
      };
    } catch (error) {
      count("unchecked");
      throw error;
    }
  }

  #refuseTooMany(home: string, pair: string): void {
    this.#attempts.add(home);
    const limits = [
      [this.#attempts.get(home), ATTEMPTS_PER_HOME],
      [this.#byHome.get(home), FAILURES_PER_HOME - 1],
      [this.#byPair.get(pair), FAILURES_PER_ADDRESS_AND_NAME - 1],
    ] as const;
    const over = limits.filter(([entry, limit]) => entry.count > limit);
    if (over.length === 0) return;
    throw tooMany(Math.max(1, Math.ceil(Math.max(...over.map(([entry]) => entry.restMs)) / 1000)));
  }

  /** Wait for the turn of a delayed attempt. @returns the function that ends it */
  async #enter(name: string, delayMs: number): Promise<() => void> {
    const queue = this.#queues.get(name) ?? { size: 0, last: Promise.resolve() };
    if (queue.size >= DELAYED_PER_NAME || this.#delayed >= DELAYED_AT_MOST) {
      throw tooMany(LONGEST_DELAY_MS / 1_000);
    }
    this.#queues.set(name, queue);
    queue.size += 1;
    this.#delayed += 1;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = queue.last;
    queue.last = ended;
    let isOver = false;
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      queue.size -= 1;
      this.#delayed -= 1;
      if (queue.size === 0) this.#queues.delete(name);
      end();
    };
    try {
      await before;
      await this.#wait(delayMs);
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }
}

const delayOf = (failures: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));

const tooMany = (retryAfter: number): ApiError =>
  new ApiError(429, "too-many-requests", "too many attempts with a password", { retryAfter });

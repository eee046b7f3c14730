import type { Random, Timer, Timers } from "@mulkko/shared/rules/clock";
import type { FailedCall } from "./client.ts";
import {
  UpstreamAnswerError,
  type UpstreamError,
  UpstreamStatusError,
  UpstreamUnreachableError,
} from "./errors.ts";

/**
 * Decides if the farm API is down (POLL-3). It is down after three consecutive faults: no answer, a gateway's
 * 502 to 504, or faulty answers to calls with live values, the sensors among them. Polls then wait while a
 * single probe at a time is sent, until any call is answered correctly.
 */
export interface Availability {
  /** False while the API is down, and before its first answer. */
  readonly isUp: boolean;
  /** Record a call that was answered correctly. */
  answered(unit: string): void;
  /** Record a failed call. */
  failed(error: UpstreamError, call: FailedCall): void;
  close(): void;
}

export interface AvailabilityDeps {
  readonly timers: Timers;
  readonly random: Random;
  /** Send a small request to the API; rejects if it fails. */
  readonly probe: () => Promise<unknown>;
  /** Called for every failed call: true if it is a fault of the API or of the connection. */
  readonly onFailure: (isFault: boolean) => void;
  readonly onChange: (state: "up" | "probing" | "down") => void;
}

/** Number of consecutive faults until the API is down. */
const FAULTS = 3;
const PROBE_FIRST_MS = 1_000;
const PROBE_LAST_MS = 30_000;
/** Longest gap before the first answer, ms: an API that is started with the relay serves within seconds. */
const PROBE_AT_START_MS = 2_000;
/** Statuses with which a server, or a gateway in front of it, reports that it is unavailable. */
const AWAY = new Set([502, 503, 504]);
/** The list that every farm API provides and the relay requires. */
const INDISPENSABLE = "sensors";
/** Units with live values: a plain API may answer any other call with a page of its own. */
const LIVE = new Set([
  INDISPENSABLE,
  "farms",
  "controllers",
  "controller",
  "notifications",
  "latest",
  "latest-mqtt",
  "refresh",
  "moisture",
]);

const isAway = (error: unknown): boolean =>
  error instanceof UpstreamUnreachableError ||
  (error instanceof UpstreamStatusError && AWAY.has(error.status));

/** True for a status of 500 or more, or an answer that violates the contract. */
const isFaultyAnswer = (error: UpstreamError): boolean =>
  error instanceof UpstreamAnswerError || (error instanceof UpstreamStatusError && error.status >= 500);

/** @remarks starts as down and probes at once, because the state of the API is unknown */
export function createAvailability(deps: AvailabilityDeps): Availability {
  let isUp = false;
  let wasUp = false;
  let closed = false;
  /** Consecutive calls without an answer from the API. */
  let unanswered = FAULTS;
  /** Consecutive calls with live values that were answered by a fault. */
  let faultyAnswers = 0;
  /** Repeats the last faulty call of the sensors. */
  let askAgain: (() => Promise<unknown>) | undefined;
  let wait = PROBE_FIRST_MS;
  let timer: Timer | undefined;

  /** An API that answers every call with a fault is down; one that lacks or fails a single call is not. */
  const answersNothing = (): boolean => faultyAnswers >= FAULTS && askAgain !== undefined;
  const goUp = (): void => {
    unanswered = 0;
    wait = PROBE_FIRST_MS;
    if (isUp) return;
    isUp = true;
    wasUp = true;
    timer?.cancel();
    deps.onChange("up");
  };
  const goDown = (): void => {
    if (!isUp || closed) return;
    isUp = false;
    deps.onChange("down");
    scheduleProbe();
  };
  const scheduleProbe = (): void => {
    timer?.cancel();
    timer = deps.timers.after(wait * (0.5 + deps.random() / 2), () => void probe());
    wait = Math.min(wasUp ? PROBE_LAST_MS : PROBE_AT_START_MS, wait * 2);
  };
  const isServed = async (): Promise<boolean> => {
    try {
      await deps.probe();
    } catch (error) {
      if (isAway(error)) return false;
    }
    try {
      await askAgain?.();
      return true;
    } catch (error) {
      // A working API refuses a token that has ended meanwhile.
      return error instanceof UpstreamStatusError && error.status < 500;
    }
  };
  const probe = async (): Promise<void> => {
    deps.onChange("probing");
    const served = await isServed();
    if (closed || isUp) return;
    if (served) {
      goUp();
      return;
    }
    deps.onChange("down");
    scheduleProbe();
  };
  timer = deps.timers.after(0, () => void probe());

  return {
    get isUp() {
      return isUp;
    },
    answered(unit) {
      if (LIVE.has(unit)) {
        faultyAnswers = 0;
        askAgain = undefined;
      }
      if (!answersNothing()) goUp();
    },
    failed(error, { unit, again }) {
      if (isAway(error)) {
        deps.onFailure(true);
        unanswered += 1;
        if (unanswered >= FAULTS) goDown();
        return;
      }
      const counts = isFaultyAnswer(error) && again !== null && LIVE.has(unit);
      deps.onFailure(counts);
      if (counts) {
        faultyAnswers += 1;
        if (unit === INDISPENSABLE) askAgain = again;
      }
      if (answersNothing()) goDown();
      else if (!isFaultyAnswer(error)) goUp();
    },
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}

import { channelIdOf, controllerKey, sensorKey } from "@mulkko/shared/live/keys";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { VALVE_LIMITS } from "../core/intent.ts";
import type { CommandOutcome, CommandRequest } from "../ports/commands.ts";
import type { RunLimits } from "../ports/valves.ts";
import type { AccountWriter } from "../ports/writer.ts";

export type Refusal = Extract<CommandOutcome, { ok: false }>;

export const REFUSED = {
  notFound: { ok: false, status: 404, code: "not-found", message: "no such channel" },
  conflict: {
    ok: false,
    status: 409,
    code: "command-conflict",
    message: "this Idempotency-Key belongs to another command",
  },
  offline: {
    ok: false,
    status: 409,
    code: "controller-offline",
    message: "the controller is offline; it cannot be opened",
  },
  expired: {
    ok: false,
    status: 409,
    code: "command-expired",
    message: "the opening came too late; nothing was opened",
  },
  withdrawn: {
    ok: false,
    status: 409,
    code: "command-withdrawn",
    message: "the opening was taken back before it came; nothing was opened",
  },
  tooLong: {
    ok: false,
    status: 422,
    code: "run-too-long",
    message: `a run may last at most ${MAX_RUN_SECONDS} seconds`,
  },
  outlivesSession: {
    ok: false,
    status: 422,
    code: "run-outlives-session",
    message: "the run would end after the session, and nobody else could close the valve",
  },
  tooMany: { ok: false, status: 429, code: "too-many-requests", message: "too many commands at once" },
  storeDown: {
    ok: false,
    status: 503,
    code: "store-down",
    message: "the end of the run could not be kept, so nothing was opened",
  },
} as const satisfies Record<string, Refusal>;

/** What a press was refused with, by the reason that its log keeps; null for a refusal of the farm API's. */
export function refusedBefore(reason: string | null): Refusal | null {
  const { offline, expired, withdrawn, tooLong, outlivesSession } = REFUSED;
  const before = [offline, expired, withdrawn, tooLong, outlivesSession];
  return before.find(({ code }) => code === reason) ?? null;
}

/** What holds where an account has set nothing (RUN-1). */
export const PLAIN_RUNS: RunLimits = {
  capSeconds: () => MAX_RUN_SECONDS,
  defaultSeconds: () => DEFAULT_RUN_SECONDS,
};

/** Seconds that an opening runs (RUN-1). */
export function runSecondsOf(request: CommandRequest, channelKey: string, runs: RunLimits): number {
  return request.maxRunSeconds ?? runs.defaultSeconds(request.controllerId, channelIdOf(channelKey));
}

/** Facts that decide if an opening still comes in time; times are store time, ms UTC. */
export interface PressTiming {
  readonly pressedAt: number;
  readonly now: number;
  /** The newest close that a person pressed on this channel; null: none is known. */
  readonly closePressedAt: number | null;
  readonly callerGone: boolean;
}

/**
 * True for an opening that is not carried out any more, wherever it waited (CMD-11): pressed too long ago, before a
 * close that came first, or by a sender who has hung up.
 */
export function comesTooLate({ pressedAt, now, closePressedAt, callerGone }: PressTiming): boolean {
  if (callerGone || now - pressedAt > VALVE_LIMITS.openWindowMs) return true;
  return closePressedAt !== null && pressedAt < closePressedAt;
}

/** Who could close a valve when the person who opened it has gone. */
export interface Closers {
  /** The API hands run times to devices. */
  readonly timesRuns: boolean;
  /** The relay has a session of its own. */
  readonly ownSession: boolean;
}

/**
 * Why an opening is refused before anything is sent; null if it may go. `at` is the press, ms UTC. A controller
 * whose state nobody knows may be opened: the screen warns (CMD-3).
 */
export function openRefusal(
  request: CommandRequest,
  runSeconds: number,
  writer: AccountWriter,
  closers: Closers,
  runs: RunLimits,
  at: number,
): Refusal | null {
  const cap = runs.capSeconds(request.controllerId);
  if (runSeconds > cap) return { ...REFUSED.tooLong, message: `a run may last at most ${cap} seconds` };
  const device =
    writer.get(controllerKey(request.controllerId)) ?? writer.get(sensorKey(request.controllerId));
  if (device?.quality === "offline" || device?.link === "lost") return REFUSED.offline;
  const end = at + runSeconds * 1_000;
  const unwatched = !closers.timesRuns && !closers.ownSession;
  if (unwatched && request.tokenEndsAt !== undefined && end > request.tokenEndsAt) {
    return REFUSED.outlivesSession;
  }
  return null;
}

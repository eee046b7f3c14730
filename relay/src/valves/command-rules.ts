import { channelIdOf, controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { MAX_RUN_SECONDS, OPEN_WINDOW_MS } from "@mulkko/shared/rules/valve";
import type { AccountWriter } from "../account/writer.ts";
import type { CommandOutcome, CommandRequest } from "./commands.ts";
import type { RunLimits } from "./valves.ts";

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
    message: "the open command arrived too late; the valve was not opened",
  },
  withdrawn: {
    ok: false,
    status: 409,
    code: "command-withdrawn",
    message: "the opening was withdrawn before it arrived; nothing was opened",
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
    message: "the run would end after the session, and the relay could not close the valve",
  },
  tooMany: { ok: false, status: 429, code: "too-many-requests", message: "too many commands at once" },
  storeDown: {
    ok: false,
    status: 503,
    code: "store-down",
    message: "the end of the run could not be stored, so nothing was opened",
  },
} as const satisfies Record<string, Refusal>;

/** Return the refusal of a logged reason, or null for a refusal by the farm API. */
export function refusedBefore(reason: string | null): Refusal | null {
  const { offline, expired, withdrawn, tooLong, outlivesSession } = REFUSED;
  const before = [offline, expired, withdrawn, tooLong, outlivesSession];
  return before.find(({ code }) => code === reason) ?? null;
}

/** Return the run time of an opening in seconds (RUN-1). */
export function runSecondsOf(request: CommandRequest, channelKey: string, runs: RunLimits): number {
  return request.maxRunSeconds ?? runs.defaultSeconds(request.controllerId, channelIdOf(channelKey));
}

/** Facts that decide if an opening is still in time. Times are store time, ms UTC. */
export interface CommandTiming {
  readonly pressedAt: number;
  readonly now: number;
  /** The newest close by a person on this channel, or null if none is known. */
  readonly closePressedAt: number | null;
  readonly callerGone: boolean;
}

/**
 * Return true for an opening that is no longer carried out (CMD-11): its command is too old, a close came
 * first, or its sender has disconnected.
 */
export function comesTooLate({ pressedAt, now, closePressedAt, callerGone }: CommandTiming): boolean {
  if (callerGone || now - pressedAt > OPEN_WINDOW_MS) return true;
  return closePressedAt !== null && pressedAt < closePressedAt;
}

/** ms after its press within which a close is executed whatever came first (CMD-17). */
const PROMPT_CLOSE_MS = 3_000;

/** Reason of a close that a user's later opening replaced while it waited (CMD-17). */
export const NEWER_OPENING = "newer-opening";

/**
 * Return true for a close that waited on its way while a user opened the valve on purpose (CMD-17). A close
 * that arrives promptly is always executed: the two presses may come from two screens, whose estimates of the
 * server's clock differ by the travel time of a message.
 *
 * @param openedAt time of the press of the opening in charge; null without one
 */
export const isOvertakenClose = (pressedAt: number, now: number, openedAt: number | null): boolean =>
  openedAt !== null && now - pressedAt > PROMPT_CLOSE_MS && pressedAt < openedAt;

/** Possible ways to close a valve after the person who opened it has left. */
export interface Closers {
  /** True if the API passes run times to devices. */
  readonly timesRuns: boolean;
  /** True if the relay has a session of its own. */
  readonly ownSession: boolean;
}

/**
 * Return the reason to refuse an opening before anything is sent, or null to allow it. `at` is the time of
 * the command, ms UTC. A controller in an unknown state may be opened: the screen warns (CMD-3).
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

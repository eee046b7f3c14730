import type { CommandBody } from "@mulkko/shared/rest/command";
import {
  DEFAULT_RUN_SECONDS,
  MAX_RUN_SECONDS,
  VALVE_OFF,
  VALVE_ON,
  type ValveTarget,
} from "@mulkko/shared/rules/valve";
import { ApiError } from "../../http/api-error.ts";

/**
 * How long an opening may be under way from here to the device at most, ms; a caller may say less.
 */
export const COMMAND_VALID_MS = 10_000;

/** How long a command's key is remembered, ms. */
export const KEY_KEPT_MS = 24 * 3_600_000;

/**
 * When a device begins to ignore a command, ms since 1970 UTC: what the caller says, never later than
 * {@link COMMAND_VALID_MS} from now.
 *
 * @throws ApiError 409 `command-expired` for an opening that has lost its point
 */
export function expiryOf(command: ValveCommand, now: number): number {
  const atMost = now + COMMAND_VALID_MS;
  if (command.target === VALVE_OFF || command.expiresAt === null) return atMost;
  if (command.expiresAt <= now) {
    throw new ApiError(409, "command-expired", "the opening came too late; nothing was opened");
  }
  return Math.min(command.expiresAt, atMost);
}

/** A valve command that has been understood. */
export interface ValveCommand {
  readonly number: number;
  readonly target: ValveTarget;
  /** Only with an opening: it never comes without an end. */
  readonly maxRunSeconds: number | null;
  /** ms since 1970 UTC from which on an opening has lost its point; null: not said. */
  readonly expiresAt: number | null;
}

/** @throws ApiError 422 for what cannot be asked of a valve, `run-too-long` above the cap */
export function valveCommandOf(body: CommandBody): ValveCommand {
  if (body.command !== "onoff") {
    throw new ApiError(422, "validation", "command must be onoff", { field: "command" });
  }
  const target = Number(body.payload);
  if (target !== VALVE_ON && target !== VALVE_OFF) {
    throw new ApiError(422, "validation", "payload must be 1 (on) or 2 (off)", { field: "payload" });
  }
  const number = Number(body.channel);
  if (target === VALVE_OFF) return { number, target, maxRunSeconds: null, expiresAt: null };
  const maxRunSeconds = body.maxRunSeconds ?? DEFAULT_RUN_SECONDS;
  if (maxRunSeconds > MAX_RUN_SECONDS) {
    throw new ApiError(422, "run-too-long", `a valve may run ${MAX_RUN_SECONDS} s at most`, {
      field: "maxRunSeconds",
    });
  }
  const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt);
  return { number, target, maxRunSeconds, expiresAt };
}

/**
 * What makes two commands with one key the same. The run time is left out: who repeats an opening asks for the
 * seconds that remain.
 */
export function contentOf(body: CommandBody): string {
  return [body.uuid, body.command, body.channel, body.payload].join(" ");
}

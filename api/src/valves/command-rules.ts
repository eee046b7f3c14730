import type { CommandBody } from "@mulkko/shared/rest/command";
import {
  DEFAULT_RUN_SECONDS,
  isRepeatOn,
  LONGEST_RUN_SECONDS,
  VALVE_OFF,
  VALVE_ON,
  type ValveTarget,
} from "@mulkko/shared/rules/valve";
import { ApiError } from "../http/api-error.ts";
import type { Mode } from "./modes/repository.ts";
import type { Automatic, Period, Reservation } from "./modes/rules.ts";

/** Longest time between this API and the device for an open, ms; a caller may set less. */
export const COMMAND_VALID_MS = 10_000;

/** How long a command's key is remembered, ms. */
export const KEY_KEPT_MS = 24 * 3_600_000;

/**
 * Return the time after which a device ignores a command, ms since 1970 UTC: the caller's limit, but never
 * later than {@link COMMAND_VALID_MS} from now.
 *
 * @throws ApiError 409 `command-expired` for an expired open
 */
export function expiryOf(command: ValveCommand, now: number): number {
  const atMost = now + COMMAND_VALID_MS;
  if (command.target === VALVE_OFF || command.expiresAt === null) return atMost;
  if (command.expiresAt <= now) {
    throw new ApiError(409, "command-expired", "the open command arrived too late; the valve was not opened");
  }
  return Math.min(command.expiresAt, atMost);
}

/** A parsed valve command. */
export interface ValveCommand {
  readonly number: number;
  readonly target: ValveTarget;
  /** Required for an open, which never comes without an end. */
  readonly maxRunSeconds: number | null;
  /** Expiry of an open, ms since 1970 UTC; null: none given. */
  readonly expiresAt: number | null;
}

/** @throws ApiError 422 for an invalid valve command, `run-too-long` above the limit */
function valveCommandOf(body: CommandBody): ValveCommand {
  const target = Number(body.payload);
  if (target !== VALVE_ON && target !== VALVE_OFF) {
    throw new ApiError(422, "validation", "payload must be 1 (on) or 2 (off)", { field: "payload" });
  }
  const number = Number(body.channel);
  if (target === VALVE_OFF) return { number, target, maxRunSeconds: null, expiresAt: null };
  const maxRunSeconds = body.maxRunSeconds ?? DEFAULT_RUN_SECONDS;
  if (maxRunSeconds > LONGEST_RUN_SECONDS) {
    throw new ApiError(422, "run-too-long", `a valve may run at most ${LONGEST_RUN_SECONDS} s`, {
      field: "maxRunSeconds",
    });
  }
  const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt);
  return { number, target, maxRunSeconds, expiresAt };
}

/** A change of one value of a mode's setting, as the older commands set them. */
export type SettingChange =
  | { readonly mode: "automatic"; readonly change: Partial<Automatic> }
  | { readonly mode: "reservation"; readonly change: Partial<Reservation> }
  | { readonly mode: "period"; readonly change: Partial<Period> };

/** A parsed command. */
export type FarmCommand =
  | { readonly kind: "valve"; readonly number: number; readonly valve: ValveCommand }
  | { readonly kind: "reset"; readonly number: number; readonly mode: Mode }
  | { readonly kind: "change"; readonly number: number; readonly setting: SettingChange };

const RESETS: ReadonlyMap<string, Mode> = new Map([
  ["automatic/reset", "automatic"],
  ["reservation/reset", "reservation"],
  ["period/reset", "period"],
]);

type Payload = CommandBody["payload"];

const payloadFault = (message: string): ApiError =>
  new ApiError(422, "validation", message, { field: "payload" });

function numberOf(payload: Payload): number {
  const number = typeof payload === "string" && payload.trim() === "" ? Number.NaN : Number(payload);
  if (!Number.isFinite(number)) throw payloadFault("payload must be a number");
  return number;
}

function repeatOf(payload: Payload): boolean {
  const number = numberOf(payload);
  if (![0, 1, 2].includes(number)) throw payloadFault("payload must be 1 (on) or 2 (off)");
  return isRepeatOn(number);
}

const CHANGES: ReadonlyMap<string, (payload: Payload) => SettingChange> = new Map<
  string,
  (payload: Payload) => SettingChange
>([
  ["automatic/watering", (raw) => ({ mode: "automatic", change: { wateringDuration: numberOf(raw) } })],
  ["automatic/low", (raw) => ({ mode: "automatic", change: { lowerBound: numberOf(raw) } })],
  ["automatic/high", (raw) => ({ mode: "automatic", change: { upperBound: numberOf(raw) } })],
  ["reservation/watering", (raw) => ({ mode: "reservation", change: { wateringDuration: numberOf(raw) } })],
  ["reservation/time", (raw) => ({ mode: "reservation", change: { onTime: String(raw).trim() } })],
  ["reservation/repeat", (raw) => ({ mode: "reservation", change: { repeat: repeatOf(raw) } })],
  ["period/watering", (raw) => ({ mode: "period", change: { wateringDuration: numberOf(raw) } })],
  ["period/time/m", (raw) => ({ mode: "period", change: { wateringInterval: numberOf(raw) } })],
  ["period/repeat", (raw) => ({ mode: "period", change: { repeat: repeatOf(raw) } })],
]);

/**
 * Parse a body of either command route.
 *
 * @param isLegacy true where commands for single values are allowed
 * @throws ApiError 422 for an unknown command or an invalid payload
 */
export function farmCommandOf(body: CommandBody, isLegacy: boolean): FarmCommand {
  const number = Number(body.channel);
  if (body.command === "onoff") return { kind: "valve", number, valve: valveCommandOf(body) };
  const mode = RESETS.get(body.command);
  if (mode) return { kind: "reset", number, mode };
  const read = isLegacy ? CHANGES.get(body.command) : undefined;
  if (read) return { kind: "change", number, setting: read(body.payload) };
  throw new ApiError(422, "validation", "unknown command", { field: "command" });
}

/**
 * Return the content that must match for two commands with one key. It excludes the run time, because a
 * repeated open requests the remaining seconds.
 */
export function contentOf(body: CommandBody): string {
  return [body.uuid, body.command, body.channel, body.payload].join(" ");
}

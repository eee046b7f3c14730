import {
  CloseAllAnswer,
  CommandRecord,
  CommandsAnswer,
  type CommandTimeBody,
  type FleetCloseBody,
  FOR_ACCOUNT,
  PRESS_HEADERS,
} from "@mulkko/shared/rest/command";
import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { callOf } from "@mulkko/shared/rest/operations/operation";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import type { PressTime as Pressed } from "../live/hooks.ts";
import { get, type Id, type RestClient } from "./client.ts";

/** A command to a valve. `form` is `sensor` for a COT sensor, whose channels use the older call. */
export interface ValveCommand {
  /** Created by {@link newCommandId}; a command sent twice is executed once (CMD-7). */
  readonly commandId: string;
  readonly form: "controller" | "sensor";
  readonly controllerId: Id;
  /** Channel number, 1 to 8. */
  readonly number: number;
  readonly target: ValveTarget;
  /** Run time of an opening, s (RUN-1); null for a closing. */
  readonly runSeconds: number | null;
  /** Time of the press, ms UTC on the server's clock, and its maximum lead; null: not known (CMD-10). */
  readonly pressed: Pressed | null;
}

/** Return the body fields of the press time; empty if unknown. */
const pressFields = (pressed: Pressed | null): Pick<CommandTimeBody, "pressedAt" | "pressedWithinMs"> =>
  pressed === null
    ? {}
    : { pressedAt: new Date(pressed.at).toISOString(), pressedWithinMs: pressed.withinMs };

/** Return the headers of the press time, for a call whose body belongs to the farm API; empty if unknown. */
export const pressHeaders = (pressed: Pressed | null): Readonly<Record<string, string>> =>
  pressed === null
    ? {}
    : {
        [PRESS_HEADERS.at]: new Date(pressed.at).toISOString(),
        [PRESS_HEADERS.withinMs]: `${Math.ceil(pressed.withinMs)}`,
      };

/** How a stored command is sent. */
export interface CommandOptions {
  /** Account in which it was pressed: the relay refuses it for any other (`other-account`). */
  readonly forAccount?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Return the fields of a call for {@link CommandOptions}. A press is delivered also where its page is left in the
 * same moment: the relay refuses an opening whose sender has closed the connection (CMD-11).
 */
export const callOptions = (
  { forAccount, ...call }: CommandOptions,
  headers: Readonly<Record<string, string>> = {},
) => ({
  ...call,
  outlivesPage: true,
  headers: { ...headers, ...(forAccount === undefined ? {} : { [FOR_ACCOUNT]: forAccount }) },
});

/**
 * Return a version 4 UUID. `crypto.randomUUID` is missing on a page over plain HTTP, as in a farm's own
 * network.
 */
export function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  }).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function bodyOf({ form, controllerId, number, target, runSeconds, pressed }: ValveCommand): CommandTimeBody {
  return {
    uuid: controllerId,
    command: "onoff",
    deviceType: form === "controller" ? "controller" : "COT",
    channel: number,
    payload: target,
    ...(runSeconds === null ? {} : { maxRunSeconds: runSeconds }),
    ...pressFields(pressed),
  };
}

/** Send a valve command. @returns its state within 5 s; later states arrive over the live streams */
export function sendValveCommand(
  rest: RestClient,
  command: ValveCommand,
  options: CommandOptions = {},
): Promise<CommandRecord> {
  return rest.call({
    ...callOf(command.form === "controller" ? controllerCommand : sensorCommand, {}),
    answer: CommandRecord,
    body: bodyOf(command),
    ...callOptions(options, { "Idempotency-Key": command.commandId }),
  });
}

/** An administrator's close as it was pressed. */
interface FleetClose {
  readonly id: string;
  readonly owner: Id;
  readonly controllerId: Id;
  readonly channelId: string;
  readonly reason: string;
  readonly pressed: Pressed | null;
}

/**
 * Close a valve of any account (CMD-21); the same id again sends nothing twice.
 *
 * @throws ApiError 403 no administrator, or the account is disabled; 404 the valve is gone
 */
export const closeFleetValve = (
  rest: RestClient,
  { id, owner: accountId, controllerId, channelId, reason, pressed }: FleetClose,
  options: CommandOptions = {},
): Promise<CommandRecord> => {
  const { pressedAt } = pressFields(pressed);
  const time = pressedAt === undefined ? {} : { pressedAt };
  const body: FleetCloseBody = { accountId, controllerId, channelId, reason, ...time };
  return rest.call({
    method: "POST",
    path: relayPath.fleetClose,
    answer: CommandRecord,
    body,
    ...callOptions(options, { "Idempotency-Key": id }),
  });
};

/**
 * Withdraw an opening without an answer (CMD-12): refused if it arrives later, closed if it was executed.
 *
 * @returns the state of the opening
 */
export function withdrawOpening(
  rest: RestClient,
  command: ValveCommand,
  options: CommandOptions = {},
): Promise<CommandRecord> {
  return rest.call({
    method: "POST",
    path: relayPath.withdrawCommand(command.commandId),
    answer: CommandRecord,
    body: bodyOf(command),
    ...callOptions(options),
  });
}

/** A command that moves no valve: a mode reset, or a single mode value in the older form. */
export interface SettingCommand {
  /** Created by `newCommandId`; a command sent twice is executed once (CMD-7). */
  readonly commandId: string;
  readonly form: "controller" | "sensor";
  readonly controllerId: string | number;
  /** Channel number, 1 to 8. */
  readonly number: number;
  /** Name in the contract: `automatic/reset`, `period/time/m`. */
  readonly command: string;
  readonly payload: number | string;
  /** Time of the press; null if unknown, or for a reset, which never expires (CMD-16). */
  readonly pressed: Pressed | null;
}

/** Result of such a command: accepted by the farm API, refused, or unknown. */
export type CommandFate =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unsure"; readonly reason: string };

/** Return the result from the relay's record of a command that moves no valve. */
export function fateOf({ state, reason }: Pick<CommandRecord, "state" | "reason">): CommandFate {
  switch (state) {
    case "accepted":
    case "confirmed":
      return { kind: "taken" };
    case "refused":
    case "failed":
      return { kind: "refused", reason: reason ?? "unknown" };
    case "superseded":
    case "requested":
    case "unconfirmed":
      return { kind: "unsure", reason: reason ?? "no-answer" };
  }
}

/** Send the command. Errors as every call; a refusal by the farm API is in the {@link CommandFate}. */
export async function sendSetting(
  rest: RestClient,
  command: SettingCommand,
  options: CommandOptions = {},
): Promise<CommandFate> {
  const body: CommandTimeBody = {
    uuid: command.controllerId,
    command: command.command,
    deviceType: command.form === "controller" ? "controller" : "COT",
    channel: command.number,
    payload: command.payload,
    ...pressFields(command.pressed),
  };
  const record = await rest.call({
    ...callOf(command.form === "controller" ? controllerCommand : sensorCommand, {}),
    answer: CommandRecord,
    body,
    ...callOptions(options, { "Idempotency-Key": command.commandId }),
  });
  return fateOf(record);
}

/** Fetch the commands of a channel in the last 24 h, newest first (CMD-9). */
export async function fetchCommands(rest: RestClient, channelId: string, signal: AbortSignal) {
  const query = new URLSearchParams({ channel: channelId });
  return (await get(rest, `${relayPath.commands}?${query}`, CommandsAnswer, signal)).commands;
}

/** Close every valve of a farm, or of the account (`all`), and return each one's state (RUN-5). */
export function closeAll(
  rest: RestClient,
  farm: string | number,
  jobId: string,
  pressed: Pressed | null,
  options: CommandOptions = {},
): Promise<CloseAllAnswer> {
  return rest.call({
    method: "POST",
    path: relayPath.closeAll(farm),
    answer: CloseAllAnswer,
    ...callOptions(options, { "Idempotency-Key": jobId, ...pressHeaders(pressed) }),
  });
}

/** Fetch all commands of the account since an instant (ms UTC, within the last 24 hours), newest first. */
export function fetchCommandsSince(rest: RestClient, from: number, signal: AbortSignal) {
  const query = new URLSearchParams({ from: new Date(from).toISOString() });
  return get(rest, `${relayPath.commands}?${query}`, CommandsAnswer, signal);
}

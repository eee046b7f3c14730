import {
  CloseAllAnswer,
  CommandRecord,
  CommandsAnswer,
  type CommandTimeBody,
  type LoggedCommand,
} from "@mulkko/shared/rest/command";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";
import { type Pressed, pressFields } from "./command.ts";

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
export async function sendSetting(rest: RestClient, command: SettingCommand): Promise<CommandFate> {
  const body: CommandTimeBody = {
    uuid: command.controllerId,
    command: command.command,
    deviceType: command.form === "controller" ? "controller" : "COT",
    channel: command.number,
    payload: command.payload,
    ...pressFields(command.pressed),
  };
  const record = await rest.call({
    method: "POST",
    path: command.form === "controller" ? apiPath.command : apiPath.legacyCommand,
    answer: CommandRecord,
    body,
    headers: { "Idempotency-Key": command.commandId },
  });
  return fateOf(record);
}

/** Fetch the commands of a channel in the last 24 h, newest first (CMD-9). */
export async function fetchCommands(
  rest: RestClient,
  channelId: string,
  signal: AbortSignal,
): Promise<LoggedCommand[]> {
  const query = new URLSearchParams({ channel: channelId });
  const answer = await rest.call({
    method: "GET",
    path: `${relayPath.commands}?${query}`,
    answer: CommandsAnswer,
    signal,
  });
  return answer.commands;
}

/** Close every valve of a farm, or of the account (`all`), and return each one's state (RUN-5). */
export function closeAll(rest: RestClient, farm: string | number, jobId: string): Promise<CloseAllAnswer> {
  return rest.call({
    method: "POST",
    path: relayPath.closeAll(farm),
    answer: CloseAllAnswer,
    headers: { "Idempotency-Key": jobId },
  });
}

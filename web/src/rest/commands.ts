import {
  CloseAllAnswer,
  type CommandBody,
  CommandRecord,
  CommandsAnswer,
  type LoggedCommand,
} from "@mulkko/shared/rest/command";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/** A command that moves no valve: a reset of a mode, or a single value of one in the older form. */
export interface SettingCommand {
  /** Made by `newCommandId`; sent twice it is executed once (CMD-7). */
  readonly commandId: string;
  readonly form: "controller" | "sensor";
  readonly controllerId: string | number;
  /** Channel number, 1 to 8. */
  readonly number: number;
  /** As the contract names it: `automatic/reset`, `period/time/m`. */
  readonly command: string;
  readonly payload: number | string;
}

/** What became of such a command: taken by the farm API, or not, or nobody knows. */
export type CommandFate =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unsure"; readonly reason: string };

/** What the relay's record says of a command that moves no valve. */
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

/** Sends it; errors as every call, a refusal of the farm API is in the {@link CommandFate}. */
export async function sendSetting(rest: RestClient, command: SettingCommand): Promise<CommandFate> {
  const body: CommandBody = {
    uuid: command.controllerId,
    command: command.command,
    deviceType: command.form === "controller" ? "controller" : "COT",
    channel: command.number,
    payload: command.payload,
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

/** The commands of a channel in the last 24 h, newest first (CMD-9). */
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

/** Closes every valve of a farm, or of the account (`all`), and says how far each has come (RUN-5). */
export function closeAll(rest: RestClient, farm: string | number, jobId: string): Promise<CloseAllAnswer> {
  return rest.call({
    method: "POST",
    path: relayPath.closeAll(farm),
    answer: CloseAllAnswer,
    headers: { "Idempotency-Key": jobId },
  });
}

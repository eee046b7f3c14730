import { CommandsAnswer } from "@mulkko/shared/rest/command";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { RestClient } from "./client.ts";

/** Fetch all commands of the account since an instant (ms UTC, within the last 24 hours), newest first. */
export function fetchCommandsSince(
  rest: RestClient,
  from: number,
  signal: AbortSignal,
): Promise<CommandsAnswer> {
  const query = new URLSearchParams({ from: new Date(from).toISOString() });
  return rest.call({ method: "GET", path: `${relayPath.commands}?${query}`, answer: CommandsAnswer, signal });
}

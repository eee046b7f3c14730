import { channelIdOf } from "@mulkko/shared/live/keys";
import { parse } from "@mulkko/shared/schema/parse";
import { type AccountState, channelsOfFarm } from "../core/farm-channels.ts";
import type { CommandLogQuery, LoggedCommand } from "../ports/commands.ts";
import type { ValveStore } from "../ports/durable.ts";
import type { Log } from "../ports/log.ts";
import { CommandLogEntry, loggedOf } from "./command-log-entry.ts";

/** For how long the log can be read; the store keeps it so long. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Reads the command log, newest first; null for a farm that the account does not have.
 *
 * @throws StoreUnavailableError
 */
export async function readCommands(
  query: CommandLogQuery,
  parts: { store: Pick<ValveStore, "commandsSince">; writer: AccountState; log: Log; now: number },
): Promise<LoggedCommand[] | null> {
  const { store, writer, log, now } = parts;
  const { channelId, farmId } = query;
  const keys = farmId === undefined ? null : channelsOfFarm(writer, farmId);
  if (farmId !== undefined && keys === null) return null;
  const wanted = keys && new Set(keys.map(channelIdOf));
  const from = Math.max(query.from, now - KEPT_MS);
  const logged: LoggedCommand[] = [];
  for (const stored of await store.commandsSince(from)) {
    const entry = parse(CommandLogEntry, stored);
    if (!entry.ok) {
      log.error({ at: entry.path }, "a stored command cannot be read");
      continue;
    }
    const id = channelIdOf(entry.value.channelKey);
    if (entry.value.at >= query.to) continue;
    if (channelId !== undefined && id !== channelId) continue;
    if (wanted && !wanted.has(id)) continue;
    logged.push(loggedOf(entry.value));
  }
  return logged.reverse();
}

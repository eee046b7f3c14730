import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { type AccountValues, channelsOfFarm } from "../account/farm-index.ts";
import type { Log } from "../runtime/log.ts";
import type { ValveStore } from "../store/durable.ts";
import { CommandLogEntry, loggedOf } from "./command-log-entry.ts";
import type { CommandLogQuery, LoggedCommand } from "./commands.ts";

/** ms for which the log can be read. The store keeps entries for as long. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Read the command log, newest first. Return null for a farm that the account does not have.
 * @throws StoreUnavailableError
 */
export async function readCommands(
  query: CommandLogQuery,
  deps: { store: Pick<ValveStore, "commandsSince">; writer: AccountValues; log: Log; now: number },
): Promise<LoggedCommand[] | null> {
  const { store, writer, log, now } = deps;
  const { channelId, farmId } = query;
  const keys = farmId === undefined ? null : channelsOfFarm(writer, farmId);
  if (farmId !== undefined && keys === null) return null;
  const wanted = keys && new Set(keys.map(channelIdOf));
  const from = Math.max(query.from, now - KEPT_MS);
  const logged: LoggedCommand[] = [];
  for (const stored of await store.commandsSince(from)) {
    const entry = parse(CommandLogEntry, stored);
    if (!entry.ok) {
      log.error({ event: "stored-command-unreadable", at: entry.path }, "cannot read stored command");
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

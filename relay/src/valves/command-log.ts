import { Actor, CommandState } from "@mulkko/shared/live/devices";
import { AdministratorClose, type CommandEvent } from "@mulkko/shared/live/events";
import type { CommandRecord, LoggedCommand } from "@mulkko/shared/rest/command";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { type Static, Type } from "typebox";
import { type AccountValues, channelsOfFarm } from "../account/farm-index.ts";
import type { Log } from "../runtime/log.ts";
import { type DatedCollection, type DocumentChange, putDated } from "../store/collections.ts";
import type { Documents } from "../store/documents.ts";
import type { CommandLogQuery, CommandRequest } from "./commands.ts";
import type { Intent } from "./intent.ts";

const NullableText = Type.Union([Type.String(), Type.Null()]);

/**
 * Steps stored of one command. A command passes each of its seven states once, or returns from unconfirmed.
 */
const STEPS = 12;

/**
 * One command in the log (CMD-9), also the source of the answer to a repeated id (CMD-7). Times are ms UTC,
 * store time.
 */
export const CommandLogEntry = Type.Object({
  commandId: Type.String(),
  /** Identifies the content, to recognise a repeated id that asks for something else. */
  content: Type.String(),
  channelKey: Type.String(),
  controllerId: Type.String(),
  number: Type.Integer(),
  command: Type.String(),
  target: Type.Union([Type.Literal(1), Type.Literal(2), Type.Null()]),
  by: Actor,
  origin: Type.String(),
  traceId: Type.String(),
  at: Type.Number(),
  /** End of the run that an opening requests. */
  until: Type.Union([Type.Number(), Type.Null()]),
  state: CommandState,
  reason: NullableText,
  steps: Type.Array(Type.Object({ state: CommandState, at: Type.Number() })),
  /** For the relay's close of a late opening (CMD-14): when that opening was commanded, and by whom. */
  lateOpening: Type.Optional(Type.Object({ at: Type.Number(), by: Actor })),
  /** For a close by an administrator of another account (CMD-21). */
  administrator: Type.Optional(AdministratorClose),
  /** For a second command with a pending target: the command that answers for it (CMD-2). */
  sameAs: NullableText,
});
export type CommandLogEntry = Static<typeof CommandLogEntry>;

/** ms for which the log can be read, and a repeated id is answered with its outcome (CMD-7). */
export const REMEMBERED_MS = 24 * 3_600_000;

/** The commands by their id, with the time at which they were given. */
export const COMMANDS = {
  ...{ name: "commands", shape: "dated", value: CommandLogEntry, forMs: REMEMBERED_MS, atMost: 2_000 },
  sqlite: { table: "commands", key: "id", value: "record" },
  redis: { documents: "c", times: "ct" },
} as const satisfies DatedCollection;

/** Return the change that stores a command's entry. */
export const putCommand = (entry: CommandLogEntry, at = entry.at): DocumentChange =>
  putDated(COMMANDS, entry.commandId, at, entry);

/** Return the content of a command as text that is equal only for equal commands. */
export function contentOf(request: CommandRequest): string {
  const { form, controllerId, number, command, payload, maxRunSeconds } = request;
  return JSON.stringify([form, controllerId, number, command, String(payload), maxRunSeconds ?? null]);
}

/** Create the entry of an incoming command. */
export function entryOfRequest(
  request: CommandRequest,
  channelKey: string,
  at: number,
  until: number | null,
): CommandLogEntry {
  const { commandId, controllerId, number, command, target, by, origin, traceId, administrator } = request;
  return {
    ...(administrator && { administrator }),
    commandId,
    content: contentOf(request),
    channelKey,
    controllerId,
    number,
    command,
    target,
    by,
    origin,
    traceId,
    at,
    until,
    state: "requested",
    reason: null,
    steps: [{ state: "requested", at }],
    sameAs: null,
  };
}

/**
 * Create the entry of an intent without a request: the relay's own close, or an intent that lost its entry.
 */
export function entryOfIntent(intent: Intent, reason: string | null): CommandLogEntry {
  const { commandId, channelKey, controllerId, number, by, origin, traceId, at, state } = intent;
  return {
    commandId,
    content: "relay",
    channelKey,
    controllerId,
    number,
    command: "onoff",
    target: intent.want === "open" ? 1 : 2,
    by,
    origin,
    traceId,
    at,
    until: intent.want === "open" ? intent.until : null,
    state,
    reason,
    steps: [{ state, at }],
    sameAs: null,
  };
}

/** Return the entry in its next state. */
export function entryInState(
  entry: CommandLogEntry,
  state: CommandState,
  reason: string | null,
  at: number,
): CommandLogEntry {
  return { ...entry, state, reason, steps: [...entry.steps, { state, at }].slice(-STEPS) };
}

/** Return a UTC instant in wire format. */
export const instant = (ms: number): string => new Date(ms).toISOString();

/** Return the relay's answer to the caller; `isKept` is false for a close that is not stored (CMD-8). */
export function recordOf(entry: CommandLogEntry, isKept = true): CommandRecord {
  return {
    commandId: entry.commandId,
    state: entry.state,
    target: entry.target,
    until: entry.until === null ? null : instant(entry.until),
    ...(entry.reason === null ? {} : { reason: entry.reason }),
    ...(isKept ? {} : { kept: false }),
  };
}

/** Return the event that informs every viewer of a command's newest step (CMD-1); `isKept` as {@link recordOf}. */
export function eventOf(entry: CommandLogEntry, isKept = true): CommandEvent {
  const newest = entry.steps.at(-1);
  return {
    kind: "command",
    at: instant(newest?.at ?? entry.at),
    id: entry.commandId,
    command: entry.command,
    controllerId: entry.controllerId,
    channelId: channelIdOf(entry.channelKey),
    number: entry.number,
    target: entry.target,
    state: entry.state,
    by: entry.by,
    ...(entry.reason === null ? {} : { reason: entry.reason }),
    ...(entry.until === null ? {} : { runUntil: instant(entry.until) }),
    ...(entry.lateOpening && {
      lateOpening: { pressedAt: instant(entry.lateOpening.at), by: entry.lateOpening.by },
    }),
    ...(entry.administrator && { administrator: entry.administrator }),
    ...(isKept ? {} : { kept: false }),
  };
}

/** Return a command as the command log shows it (CMD-9). */
function loggedOf(entry: CommandLogEntry): LoggedCommand {
  const { commandId, command, controllerId, channelKey, number, target, state, reason } = entry;
  return {
    id: commandId,
    command,
    controllerId,
    channelId: channelIdOf(channelKey),
    number,
    target,
    state,
    reason,
    by: entry.by,
    origin: entry.origin,
    traceId: entry.traceId,
    at: instant(entry.at),
    until: entry.until === null ? null : instant(entry.until),
    steps: entry.steps.map((step) => ({ state: step.state, at: instant(step.at) })),
    ...(entry.administrator && { administrator: entry.administrator }),
  };
}

/**
 * Read the command log, newest first. Return null for a farm that the account does not have.
 * @throws StoreUnavailableError
 */
export async function readCommands(
  query: CommandLogQuery,
  deps: { store: Pick<Documents, "since">; writer: AccountValues; log: Log; now: number },
): Promise<LoggedCommand[] | null> {
  const { store, writer, log, now } = deps;
  const { channelId, farmId } = query;
  const keys = farmId === undefined ? null : channelsOfFarm(writer, farmId);
  if (farmId !== undefined && keys === null) return null;
  const wanted = keys && new Set(keys.map(channelIdOf));
  const from = Math.max(query.from, now - REMEMBERED_MS);
  const logged: LoggedCommand[] = [];
  for (const entry of await store.since(COMMANDS, from)) {
    if (!entry.ok) {
      log.error({ event: "stored-command-unreadable", at: entry.path }, "cannot read stored command");
      continue;
    }
    const id = channelIdOf(entry.value.channelKey);
    if (query.to !== undefined && entry.value.at >= query.to) continue;
    if (channelId !== undefined && id !== channelId) continue;
    if (wanted && !wanted.has(id)) continue;
    logged.push(loggedOf(entry.value));
  }
  return logged.reverse();
}

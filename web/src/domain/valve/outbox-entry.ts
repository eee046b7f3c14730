import { Id } from "@mulkko/shared/schema/id";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { OPENINGS_KEY } from "./outbox-keys.ts";

const Pressed = Nullable(Type.Object({ at: Type.Number(), withinMs: Type.Number() }));

const base = {
  /** The command's id (CMD-7). */
  id: Type.String(),
  accountId: Type.String(),
  /** Time of the press on this machine's clock, ms UTC. */
  at: Type.Number(),
  /** Why the entry is no longer sent, as a code for `labels.error`; its note waits to be dismissed. */
  ended: Type.Optional(Type.String()),
};

const form = Type.Union([Type.Literal("controller"), Type.Literal("sensor")]);
const valve = { form, controllerId: Id, number: Type.Integer() };

/** An opening without an answer; it is never sent again, only withdrawn (CMD-12). */
const OpenEntry = Type.Object({
  kind: Type.Literal("open"),
  ...base,
  ...valve,
  runSeconds: Nullable(Type.Integer()),
  pressed: Pressed,
  /** True once its page has stopped waiting and revokes it. */
  givenUp: Type.Boolean(),
});

const named = { channelId: Type.String(), name: Nullable(Type.String()) };

const CloseEntry = Type.Object({
  kind: Type.Literal("close"),
  ...base,
  ...valve,
  ...named,
  pressed: Pressed,
});

const CloseAllEntry = Type.Object({
  kind: Type.Literal("close-all"),
  ...base,
  /** Null for the whole account. */
  farmId: Nullable(Type.String()),
  farmName: Nullable(Type.String()),
  /** Its valves at the press, which are drawn as closing. */
  valves: Type.Array(Type.Object({ controllerId: Id, number: Type.Integer() })),
  pressed: Pressed,
});

const ModeOffEntry = Type.Object({
  kind: Type.Literal("mode-off"),
  ...base,
  ...valve,
  ...named,
  mode: Type.Union([Type.Literal("automatic"), Type.Literal("reservation"), Type.Literal("period")]),
  way: Type.Union([Type.Literal("charge"), Type.Literal("reset")]),
  /** Id of the next attempt. A reset that the farm API did not get needs another one. */
  commandId: Type.String(),
});

/** An administrator's close of a valve of any account (CMD-21). */
const FleetCloseEntry = Type.Object({
  kind: Type.Literal("fleet-close"),
  ...base,
  /** Account of the valve; `accountId` is the administrator's. */
  owner: Id,
  ownerName: Type.String(),
  controllerId: Id,
  channelId: Type.String(),
  /** Name with the channel's number. */
  valve: Type.String(),
  reason: Type.String(),
  pressed: Pressed,
});

/** An end for an opening made at the controller (RUN-3). */
const CloseInEntry = Type.Object({
  kind: Type.Literal("close-in"),
  ...base,
  alarmId: Id,
  /** Minutes from the press. */
  minutes: Type.Integer(),
  /** Name of the valve; null if it is not known. */
  name: Nullable(Type.String()),
});

/** A command in this browser's storage that has no answer yet. */
export const OutboxEntry = Type.Union([
  OpenEntry,
  CloseEntry,
  CloseAllEntry,
  ModeOffEntry,
  FleetCloseEntry,
  CloseInEntry,
]);
export type OutboxEntry = Static<typeof OutboxEntry>;

/** Return what an entry commands: a newer entry of the same target replaces the older one. */
export function targetOf(entry: OutboxEntry): string {
  switch (entry.kind) {
    case "open":
    case "close":
      return `valve ${entry.controllerId} ${entry.number}`;
    case "close-all":
      return `all ${entry.farmId ?? ""}`;
    case "mode-off":
      return `mode ${entry.channelId}`;
    case "fleet-close":
      return `fleet ${entry.owner} ${entry.channelId}`;
    case "close-in":
      return `alarm ${entry.alarmId}`;
  }
}

/** Format of unanswered openings in builds before the outbox. */
const OldOpenings = Type.Array(
  Type.Object({
    accountId: Type.String(),
    commandId: Type.String(),
    ...valve,
    runSeconds: Nullable(Type.Integer()),
    pressed: Pressed,
    at: Type.Number(),
    givenUp: Type.Boolean(),
  }),
);

/** Take over the openings that an older build stored, and remove them there. */
export function readEntriesOfOlderBuild(
  memory: Pick<Storage, "getItem" | "removeItem">,
): readonly OutboxEntry[] {
  const text = memory.getItem(OPENINGS_KEY);
  if (text === null) return [];
  memory.removeItem(OPENINGS_KEY);
  const stored = parseJson(OldOpenings, text);
  if (!stored.ok) return [];
  return stored.value.map(({ commandId, ...opening }) => ({ kind: "open", id: commandId, ...opening }));
}

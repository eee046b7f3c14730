import type { CommandState } from "@mulkko/shared/live/devices";
import type { CommandEvent } from "@mulkko/shared/live/events";
import { CloseAllAnswer } from "@mulkko/shared/rest/command";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parseJson } from "@mulkko/shared/schema/parse";
import { useEffect } from "react";
import { type Static, Type } from "typebox";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { RestClient } from "../../api/client.ts";
import { fetchCommandsSince } from "../../api/commands.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { type PressTime, useEvents, useIsLive, useServerNow } from "../../live/hooks.ts";
import type { ClosedFarm, Outbox } from "./outbox.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { useStoredCommands } from "./stored-commands.ts";
import { useOutbox } from "./use-outbox.ts";

/** State of a close-all. Each valve's command continues under its `commandId` on the live stream. */
export const Closing = Type.Object({
  ...CloseAllAnswer.properties,
  /** Null for the whole account. */
  farmId: Nullable(Type.String()),
  /** Time of the request, ms UTC on the server's clock. */
  at: Type.Number(),
});
export type Closing = Readonly<Static<typeof Closing>>;

/** One valve of a close-all with the state of its command. */
export type ClosingValve = Closing["channels"][number];

/** Result for a valve: under way, closed, or not confirmed. */
type ClosingOutcome = "closing" | "closed" | "taken-over" | "unconfirmed";

const OUTCOMES: Readonly<Record<CommandState, ClosingOutcome>> = {
  requested: "closing",
  accepted: "closing",
  confirmed: "closed",
  superseded: "taken-over",
  unconfirmed: "unconfirmed",
  refused: "unconfirmed",
  failed: "unconfirmed",
};

export const outcomeOfValve = ({ state }: Pick<ClosingValve, "state">): ClosingOutcome => OUTCOMES[state];

/**
 * Order of the command states; a late step never goes back. Only `unconfirmed` can still become confirmed
 * (CMD-5).
 */
const PROGRESS: Readonly<Record<CommandState, number>> = {
  requested: 0,
  accepted: 1,
  unconfirmed: 2,
  failed: 3,
  refused: 3,
  superseded: 3,
  confirmed: 4,
};

/** Step of a command, from the log or the live stream; `id` is the command's. */
type ClosingStep = Pick<CommandEvent, "id" | "state"> & { readonly reason?: string | null };

/**
 * Apply a step to a close-all. Return the same object if the step belongs to another command or is not new.
 */
export function advance(closing: Closing, step: ClosingStep): Closing {
  const index = closing.channels.findIndex(({ commandId }) => commandId === step.id);
  const valve = closing.channels[index];
  if (!valve || PROGRESS[step.state] <= PROGRESS[valve.state]) return closing;
  const next = { ...valve, state: step.state, reason: step.reason ?? null };
  return { ...closing, channels: closing.channels.with(index, next) };
}

/** Result of a close-all. */
interface ClosingSummary {
  readonly total: number;
  readonly closed: number;
  readonly closing: number;
  /** Valves not known to be closed, including those moved by another command since. */
  readonly troubled: readonly ClosingValve[];
  /** Closed valves that an active mode may open again. */
  readonly mayReopen: readonly ClosingValve[];
  readonly state: "under-way" | "all-closed" | "not-confirmed" | "nothing";
}

export function summaryOf({ channels: valves }: Pick<Closing, "channels">): ClosingSummary {
  const by = (wanted: ClosingOutcome): ClosingValve[] =>
    valves.filter((valve) => outcomeOfValve(valve) === wanted);
  const [closed, closing] = [by("closed"), by("closing")];
  const troubled = [...by("unconfirmed"), ...by("taken-over")];
  const state =
    valves.length === 0
      ? "nothing"
      : closing.length > 0
        ? "under-way"
        : troubled.length > 0
          ? "not-confirmed"
          : "all-closed";
  return {
    total: valves.length,
    closed: closed.length,
    closing: closing.length,
    troubled,
    mayReopen: closed.filter(({ activeMode }) => activeMode !== "none"),
    state,
  };
}

type CloseAllEntry = Extract<OutboxEntry, { kind: "close-all" }>;

/** State of this browser's last close-all, from the click to the last valve's report. */
export type ClosingState =
  | { readonly state: "none" }
  /** Without an answer: the outbox sends it until there is one (CMD-8). */
  | { readonly state: "sending"; readonly entry: CloseAllEntry }
  /** It will not be carried out; `reason` is a code for `labels.error`. */
  | { readonly state: "refused"; readonly entry: CloseAllEntry; readonly reason: string }
  | { readonly state: "accepted"; readonly closing: Closing };

/** Storage of a tab, so that a reload keeps the close-all. */
export type ClosingMemory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export interface ClosingDeps {
  readonly rest: RestClient;
  readonly outbox: Pick<Outbox, "closeAll" | "onCloseAll">;
  readonly accountId: string;
  readonly memory: ClosingMemory;
  /** ms UTC on the server's clock. */
  readonly now: () => number;
}

const MEMORY_KEY = "mulkko.closing";

/** Stored state; it belongs to one account. */
const Stored = Type.Object({ accountId: Type.String(), closing: Closing });
type Stored = Static<typeof Stored>;

/** Milliseconds before the click from which the command log is read, for clock differences and queues. */
const BEFORE_MS = 10_000;

/** Maximum age of a close-all, ms. The command log does not reach further back. */
const KEPT_FOR_MS = 23 * 3_600_000;

export function createClosingService({ rest, outbox, accountId, memory, now }: ClosingDeps) {
  const store = createStore<Closing | null>(() => readStored(memory, accountId, now()));
  const show = (closing: Closing | null): void => {
    if (closing !== null) {
      const stored: Stored = { accountId, closing };
      memory.setItem(MEMORY_KEY, JSON.stringify(stored));
    } else memory.removeItem(MEMORY_KEY);
    store.setState(closing, true);
  };
  outbox.onCloseAll((entry, outcome) => {
    if (outcome.kind !== "taken" || outcome.answer === null) return;
    show({ ...outcome.answer, farmId: entry.farmId, at: entry.pressed?.at ?? entry.at });
  });
  const step = (each: ClosingStep): void => {
    const closing = store.getState();
    if (closing === null) return;
    const next = advance(closing, each);
    if (next !== closing) show(next);
  };
  return {
    /** The last answered close-all; null without one. */
    store,
    /** Close every valve of a farm, or of the account for an id of null. A later one replaces the shown one. */
    close(farm: ClosedFarm, pressed: PressTime | null) {
      show(null);
      void outbox.closeAll(farm, pressed);
    },
    /** Apply a step from the live stream. */
    step,
    /** Read the steps that occurred while no page was open. Never rejects, because the live stream continues. */
    async catchUp(signal: AbortSignal) {
      const closing = store.getState();
      if (closing === null || summaryOf(closing).state === "all-closed") return;
      try {
        const { commands } = await fetchCommandsSince(rest, closing.at - BEFORE_MS, signal);
        for (const command of commands) step(command);
      } catch {
        // If the log cannot be read, the live stream delivers the next step.
      }
    },
    dismiss: () => show(null),
  };
}

export type ClosingService = ReturnType<typeof createClosingService>;

function readStored(memory: ClosingMemory, accountId: string, now: number): Closing | null {
  const text = memory.getItem(MEMORY_KEY);
  const stored = text === null ? null : parseJson(Stored, text);
  if (!stored?.ok || stored.value.accountId !== accountId) return null;
  const { closing } = stored.value;
  return now - closing.at > KEPT_FOR_MS ? null : closing;
}

/** Return the state that the page shows: a close-all without an answer is newer than the answered one. */
export function closingState(entry: CloseAllEntry | null, closing: Closing | null): ClosingState {
  if (entry === null) return closing === null ? { state: "none" } : { state: "accepted", closing };
  return entry.ended === undefined
    ? { state: "sending", entry }
    : { state: "refused", entry, reason: entry.ended };
}

/** One service per client, for the signed-in account: every page shows the same close-all. */
const services = new WeakMap<RestClient, { accountId: string; service: ClosingService }>();

/** Return this browser's close-all, if there is one, and its service. */
export function useClosing(): { state: ClosingState; service: ClosingService } {
  const { client } = useRest();
  const outbox = useOutbox();
  const now = useServerNow();
  const accountId = `${useAccount().id}`;
  const known = services.get(client);
  const service =
    known?.accountId === accountId
      ? known.service
      : createClosingService({ rest: client, outbox, accountId, memory: sessionStorage, now });
  if (known?.service !== service) services.set(client, { accountId, service });
  const entry = useStoredCommands((entries) => entries.findLast((each) => each.kind === "close-all") ?? null);
  return { state: closingState(entry, useStore(service.store)), service };
}

/**
 * Apply live events to a close-all, and read the steps missed while no page was open from the command log.
 */
export function useFollowedClosing(): { state: ClosingState; service: ClosingService } {
  const closing = useClosing();
  const { service } = closing;
  const events = useEvents();
  const live = useIsLive();
  useEffect(() => {
    for (const { event } of events) if (event.kind === "command") service.step(event);
  }, [service, events]);
  useEffect(() => {
    if (!live) return;
    const asking = new AbortController();
    void service.catchUp(asking.signal);
    return () => asking.abort();
  }, [service, live]);
  return closing;
}

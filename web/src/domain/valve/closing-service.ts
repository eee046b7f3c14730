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
import { closeAll, fetchCommandsSince, newCommandId } from "../../api/commands.ts";
import { ApiError, errorReason } from "../../api/errors.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useEvents, useIsLive, useServerNow } from "../../live/hooks.ts";

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

/** State of the close-all on this page, from the click to the last valve's report. */
export type ClosingState =
  | { readonly state: "none" }
  | { readonly state: "sending"; readonly jobId: string; readonly farmId: string | null }
  | {
      /** `unsure`: no answer says whether the relay received the request. */
      readonly state: "refused" | "unsure";
      readonly jobId: string;
      readonly farmId: string | null;
      /** Code for `labels.error`. */
      readonly reason: string;
    }
  | { readonly state: "accepted"; readonly closing: Closing };

/** Storage of a tab, so that a reload keeps the close-all. */
export type ClosingMemory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export interface ClosingDeps {
  readonly rest: RestClient;
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

export function createClosingService({ rest, accountId, memory, now }: ClosingDeps) {
  const store = createStore<ClosingState>(() => readStored(memory, accountId, now()));
  const show = (state: ClosingState): void => {
    if (state.state === "accepted") {
      const stored: Stored = { accountId, closing: state.closing };
      memory.setItem(MEMORY_KEY, JSON.stringify(stored));
    } else memory.removeItem(MEMORY_KEY);
    store.setState(state, true);
  };
  const send = async (jobId: string, farmId: string | null): Promise<void> => {
    const at = now();
    show({ state: "sending", jobId, farmId });
    try {
      const answer = await closeAll(rest, farmId ?? "all", jobId);
      show({ state: "accepted", closing: { ...answer, farmId, at } });
    } catch (error) {
      const said = error instanceof ApiError && error.status < 500;
      show({ state: said ? "refused" : "unsure", jobId, farmId, reason: errorReason(error) });
    }
  };
  const step = (each: ClosingStep): void => {
    const state = store.getState();
    if (state.state !== "accepted") return;
    const closing = advance(state.closing, each);
    if (closing !== state.closing) show({ state: "accepted", closing });
  };
  return {
    store,
    /** Close every valve of a farm, or of the account for null. Never rejects: the state holds the result. */
    close: (farmId: string | null) => send(newCommandId(), farmId),
    /** Send the same request again under the same key, so that no valve gets a second command. */
    async repeat() {
      const state = store.getState();
      if (state.state === "refused" || state.state === "unsure") await send(state.jobId, state.farmId);
    },
    /** Apply a step from the live stream. */
    step,
    /** Read the steps that occurred while no page was open. Never rejects, because the live stream continues. */
    async catchUp(signal: AbortSignal) {
      const state = store.getState();
      if (state.state !== "accepted" || summaryOf(state.closing).state === "all-closed") return;
      try {
        const { commands } = await fetchCommandsSince(rest, state.closing.at - BEFORE_MS, signal);
        for (const command of commands) step(command);
      } catch {
        // If the log cannot be read, the live stream delivers the next step.
      }
    },
    dismiss: () => show({ state: "none" }),
  };
}

export type ClosingService = ReturnType<typeof createClosingService>;

function readStored(memory: ClosingMemory, accountId: string, now: number): ClosingState {
  const text = memory.getItem(MEMORY_KEY);
  const stored = text === null ? null : parseJson(Stored, text);
  if (!stored?.ok || stored.value.accountId !== accountId) return { state: "none" };
  const { closing } = stored.value;
  return now - closing.at > KEPT_FOR_MS ? { state: "none" } : { state: "accepted", closing };
}

/** One service per client, for the signed-in account: every page shows the same close-all. */
const services = new WeakMap<RestClient, { accountId: string; service: ClosingService }>();

/** Return this page's close-all, if there is one, and its service. */
export function useClosing(): { state: ClosingState; service: ClosingService } {
  const { client } = useRest();
  const now = useServerNow();
  const accountId = `${useAccount().id}`;
  const known = services.get(client);
  const service =
    known?.accountId === accountId
      ? known.service
      : createClosingService({ rest: client, accountId, memory: sessionStorage, now });
  if (known?.service !== service) services.set(client, { accountId, service });
  return { state: useStore(service.store), service };
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

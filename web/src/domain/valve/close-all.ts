import type { CommandState } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { CloseAllAnswer, type LoggedCommand } from "@mulkko/shared/rest/command";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";

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
export type ClosingOutcome = "closing" | "closed" | "taken-over" | "unconfirmed";

export function outcomeOfValve({ state }: Pick<ClosingValve, "state">): ClosingOutcome {
  switch (state) {
    case "requested":
    case "accepted":
      return "closing";
    case "confirmed":
      return "closed";
    case "superseded":
      return "taken-over";
    case "unconfirmed":
    case "refused":
    case "failed":
      return "unconfirmed";
  }
}

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

/** Step of a command, from the log or the live stream. */
export interface ClosingStep {
  readonly commandId: string;
  readonly state: CommandState;
  readonly reason: string | null;
}

/**
 * Apply a step to a close-all. Return the same object if the step belongs to another command or is not new.
 */
export function advance(closing: Closing, step: ClosingStep): Closing {
  const index = closing.channels.findIndex(({ commandId }) => commandId === step.commandId);
  const valve = closing.channels[index];
  if (!valve || PROGRESS[step.state] <= PROGRESS[valve.state]) return closing;
  const next = { ...valve, state: step.state, reason: step.reason };
  return { ...closing, channels: closing.channels.with(index, next) };
}

/** Return the step in a live event; null for other events. */
export function stepOfEvent(event: LiveEvent): ClosingStep | null {
  return event.kind === "command"
    ? { commandId: event.id, state: event.state, reason: event.reason ?? null }
    : null;
}

export const stepOfLogged = ({ id, state, reason }: LoggedCommand): ClosingStep => ({
  commandId: id,
  state,
  reason,
});

/** Result of a close-all. */
export interface ClosingSummary {
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

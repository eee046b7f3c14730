import type { CommandState } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { CloseAllAnswer, type LoggedCommand } from "@mulkko/shared/rest/command";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";

/** Where a close-all stands. What it told each valve goes on under that valve's `commandId` on the live stream. */
export const Closing = Type.Object({
  ...CloseAllAnswer.properties,
  /** null: the whole account. */
  farmId: Nullable(Type.String()),
  /** When it was asked for, ms UTC on the server's clock. */
  at: Type.Number(),
});
export type Closing = Readonly<Static<typeof Closing>>;

/** One valve of a close-all, and how far its own command has come. */
export type ClosingValve = Closing["channels"][number];

/** How a valve's close went: under way, done, or not known to be done. */
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

/** How far a command is; what comes late does not take it back. Only `unconfirmed` may still turn out well (CMD-5). */
const PROGRESS: Readonly<Record<CommandState, number>> = {
  requested: 0,
  accepted: 1,
  unconfirmed: 2,
  failed: 3,
  refused: 3,
  superseded: 3,
  confirmed: 4,
};

/** A step of a command, from wherever it is told. */
export interface ClosingStep {
  readonly commandId: string;
  readonly state: CommandState;
  readonly reason: string | null;
}

/** The close-all after a step; the same object where the step is none of its own, or none that is new. */
export function advance(closing: Closing, step: ClosingStep): Closing {
  const index = closing.channels.findIndex(({ commandId }) => commandId === step.commandId);
  const valve = closing.channels[index];
  if (!valve || PROGRESS[step.state] <= PROGRESS[valve.state]) return closing;
  const next = { ...valve, state: step.state, reason: step.reason };
  return { ...closing, channels: closing.channels.with(index, next) };
}

/** The step that a live event tells; null for what is no command. */
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

/** What a close-all has come to. */
export interface ClosingSummary {
  readonly total: number;
  readonly closed: number;
  readonly closing: number;
  /** Not known to be closed, with those that somebody else has moved since. */
  readonly troubled: readonly ClosingValve[];
  /** Closed, and a mode in charge may open them again. */
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

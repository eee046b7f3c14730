import type { CommandEvent } from "@mulkko/shared/live/events";
import type { LoggedCommand } from "@mulkko/shared/rest/command";

/** A command as a line of its channel's log. `origin` is null until the log itself has been read. */
export interface CommandLine
  extends Pick<
    LoggedCommand,
    "id" | "command" | "target" | "state" | "reason" | "by" | "at" | "until" | "steps"
  > {
  readonly origin: string | null;
}

/** Lines kept; more than a person looks through. */
export const MAX_LINES = 200;

const newestFirst = (a: CommandLine, b: CommandLine): number => b.at.localeCompare(a.at);

/** Takes a step that has just been told into the lines: the line goes on, or begins. */
export function withEvent(lines: readonly CommandLine[], event: CommandEvent): readonly CommandLine[] {
  const step = { state: event.state, at: event.at };
  const known = lines.find(({ id }) => id === event.id);
  const line: CommandLine = known
    ? {
        ...known,
        state: event.state,
        reason: event.reason ?? null,
        until: event.runUntil ?? known.until,
        steps: known.steps.some(({ state, at }) => state === step.state && at === step.at)
          ? known.steps
          : [...known.steps, step],
      }
    : {
        id: event.id,
        command: event.command,
        target: event.target,
        state: event.state,
        reason: event.reason ?? null,
        by: event.by,
        at: event.at,
        until: event.runUntil ?? null,
        steps: [step],
        origin: null,
      };
  return [line, ...lines.filter(({ id }) => id !== event.id)].sort(newestFirst).slice(0, MAX_LINES);
}

/** The log as it was read, and what has been told since: of each command the account that knows more steps. */
export function withLog(
  lines: readonly CommandLine[],
  log: readonly LoggedCommand[],
): readonly CommandLine[] {
  const told = new Map(lines.map((line) => [line.id, line]));
  const merged: CommandLine[] = log.map((logged) => {
    const line = told.get(logged.id);
    told.delete(logged.id);
    return line && line.steps.length > logged.steps.length ? { ...line, origin: logged.origin } : logged;
  });
  return [...merged, ...told.values()].sort(newestFirst).slice(0, MAX_LINES);
}

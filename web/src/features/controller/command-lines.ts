import type { CommandEvent } from "@mulkko/shared/live/events";
import type { LoggedCommand } from "@mulkko/shared/rest/command";

/** Line of a channel's command log. `origin` is null until the log has loaded. */
export interface CommandLine
  extends Pick<
    LoggedCommand,
    "id" | "command" | "target" | "state" | "reason" | "by" | "at" | "until" | "steps"
  > {
  readonly origin: string | null;
}

/** Maximum number of lines, more than a user reads. */
export const MAX_LINES = 200;

const newestFirst = (a: CommandLine, b: CommandLine): number => b.at.localeCompare(a.at);

/** Add a live step to the lines: continue its line or start one. */
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

/** Merge the loaded log with the live lines: for each command keep the version with more steps. */
export function withLog(
  lines: readonly CommandLine[],
  log: readonly LoggedCommand[],
): readonly CommandLine[] {
  const live = new Map(lines.map((line) => [line.id, line]));
  const merged: CommandLine[] = log.map((logged) => {
    const line = live.get(logged.id);
    live.delete(logged.id);
    return line && line.steps.length > logged.steps.length ? { ...line, origin: logged.origin } : logged;
  });
  return [...merged, ...live.values()].sort(newestFirst).slice(0, MAX_LINES);
}

import type { CommandOutcome } from "../ports/commands.ts";
import type { Timers } from "../ports/timers.ts";
import { type CommandLogEntry, recordOf } from "./command-log-entry.ts";
import { REFUSED } from "./press-rules.ts";

/** CMD-7: the caller hears within 5 s; the rest is for the way. */
export const ANSWER_WITHIN_MS = 4_500;

/** One caller who waits for what becomes of a command. */
export interface Answer {
  readonly outcome: Promise<CommandOutcome>;
  /** True once the caller has been told that nothing was done. */
  readonly abandoned: boolean;
  /** The command is stored and on its way; from now on the answer is its state. */
  begun(entry: CommandLogEntry): void;
  /** The command moved on; anything beyond `requested` is an answer. */
  moved(entry: CommandLogEntry): void;
  give(outcome: CommandOutcome): void;
}

/**
 * @param perishable an opening that could not begin in time is given up; a close goes on
 * @param withinMs until the caller is told how far it has come
 */
export function createAnswer(
  timers: Timers,
  perishable: boolean,
  asked: CommandLogEntry,
  withinMs = ANSWER_WITHIN_MS,
): Answer {
  let resolve: (outcome: CommandOutcome) => void = () => undefined;
  const outcome = new Promise<CommandOutcome>((done) => {
    resolve = done;
  });
  let newest: CommandLogEntry = asked;
  let begun = false;
  let given = false;
  let abandoned = false;
  const give = (answer: CommandOutcome): void => {
    if (given) return;
    given = true;
    timer.cancel();
    resolve(answer);
  };
  const timer = timers.after(withinMs, () => {
    abandoned = perishable && !begun;
    give(abandoned ? REFUSED.storeDown : { ok: true, record: recordOf(newest) });
  });
  return {
    outcome,
    get abandoned() {
      return abandoned;
    },
    begun(entry) {
      begun = true;
      newest = entry;
    },
    moved(entry) {
      newest = entry;
      if (entry.state !== "requested") give({ ok: true, record: recordOf(entry) });
    },
    give,
  };
}

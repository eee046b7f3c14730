import type { Timers } from "@mulkko/shared/rules/clock";
import { ANSWER_WITHIN_MS } from "../runtime/owner-call.ts";
import { type CommandLogEntry, recordOf } from "./command-log.ts";
import { REFUSED } from "./command-rules.ts";
import type { CommandOutcome } from "./commands.ts";

/** One caller that waits for the outcome of a command. */
export interface Answer {
  readonly outcome: Promise<CommandOutcome>;
  /** True once the caller got the answer that nothing was done. */
  readonly abandoned: boolean;
  /** Note that the command is stored and being sent. From now on its state is the answer. */
  begun(entry: CommandLogEntry): void;
  /** Note the next state of the command. Any state beyond `requested` is an answer. */
  moved(entry: CommandLogEntry): void;
  give(outcome: CommandOutcome): void;
}

/**
 * Create the answer for one caller.
 * @param perishable true for an opening: it is abandoned if it cannot begin in time, while a close continues
 * @param withinMs time after which the caller gets the state reached so far
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

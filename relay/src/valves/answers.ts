import type { CommandRecord } from "@mulkko/shared/rest/command";
import type { Timers } from "@mulkko/shared/rules/clock";
import { ANSWER_WITHIN_MS } from "../runtime/owner-call.ts";
import { REFUSED } from "./command-rules.ts";
import type { CommandOutcome } from "./commands.ts";

/** One caller that waits for the outcome of a command. */
export interface Answer {
  readonly outcome: Promise<CommandOutcome>;
  /** True once the caller got the answer that nothing was done. */
  readonly abandoned: boolean;
  /** Note that the command is being sent. From now on its state is the answer. */
  begun(record: CommandRecord): void;
  /** Note the next state of the command. Any state beyond `requested` is an answer. */
  moved(record: CommandRecord): void;
  give(outcome: CommandOutcome): void;
}

/**
 * Create the answer for one caller.
 * @param perishable true for an opening: it is abandoned if it cannot begin in time, while a close continues
 * @param asked the answer of a close that cannot begin in time
 * @param withinMs time after which the caller gets the state reached so far
 */
export function createAnswer(
  timers: Timers,
  perishable: boolean,
  asked: CommandRecord,
  withinMs = ANSWER_WITHIN_MS,
): Answer {
  let resolve: (outcome: CommandOutcome) => void = () => undefined;
  const outcome = new Promise<CommandOutcome>((done) => {
    resolve = done;
  });
  let newest = asked;
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
    give(abandoned ? REFUSED.storeDown : { ok: true, record: newest });
  });
  return {
    outcome,
    get abandoned() {
      return abandoned;
    },
    begun(record) {
      begun = true;
      newest = record;
    },
    moved(record) {
      newest = record;
      if (record.state !== "requested") give({ ok: true, record });
    },
    give,
  };
}

import type { CommandState } from "@mulkko/shared/live/devices";
import { isReset } from "@mulkko/shared/rest/command";
import type { SendResult } from "../upstream/outgoing-command.ts";
import { createAnswer } from "./answers.ts";
import type { ChannelDeps } from "./channel.ts";
import { entryInState, entryOfRequest, eventOf, putCommand, recordOf } from "./command-log.ts";
import { comesTooLate, REFUSED } from "./command-rules.ts";
import type { CommandOutcome, CommandRequest } from "./commands.ts";
import { dispatch } from "./dispatch.ts";

/** Return the final state of a command that is sent once, by the farm API's answer. */
export function outcomeOf(result: SendResult): { state: CommandState; reason: string | null } {
  switch (result.kind) {
    case "accepted":
      return { state: "accepted", reason: null };
    case "refused":
      return { state: "refused", reason: result.code };
    case "not-sent":
      return { state: "failed", reason: "upstream-down" };
    case "unknown":
      return { state: "unconfirmed", reason: "no-answer" };
  }
}

/**
 * Return true for a setting that comes too late: it may activate a mode, which may open water at once
 * (CMD-16).
 */
const isLate = ({ pressedAt, callerGone }: CommandRequest, now: number): boolean =>
  comesTooLate({ pressedAt: pressedAt ?? now, now, closePressedAt: null, callerGone: callerGone === true });

/**
 * Send a command that moves no valve once and unchanged: a reset of a mode, or a command of the legacy form.
 * It is logged and published like the others, and ends in the state of the farm API's answer.
 */
export function forwardCommand(
  request: CommandRequest,
  channelKey: string,
  deps: Pick<ChannelDeps, "state" | "durable" | "upstream" | "time" | "log">,
): Promise<CommandOutcome> {
  const { state, durable, time } = deps;
  const at = time.now();
  const asked = entryOfRequest(request, channelKey, at, null);
  if (!isReset(request.command) && isLate(request, at)) {
    const refused = entryInState(asked, "refused", REFUSED.expired.code, at);
    state.event(eventOf(refused));
    return durable.put([putCommand(refused, at)]).then(() => REFUSED.expired);
  }
  const answer = createAnswer(time, false, recordOf(asked), request.answerWithinMs);
  const keep = (entry: typeof asked) => durable.put([putCommand(entry, at)]);
  const { commandId, form, controllerId, number, command, payload, token, traceId } = request;
  state.event(eventOf(asked));
  const send = (): void =>
    dispatch(deps, { commandId, form, controllerId, number, command, payload, token, traceId }, (result) => {
      const outcome = outcomeOf(result);
      const moved = entryInState(asked, outcome.state, outcome.reason, time.now());
      state.event(eventOf(moved));
      void keep(moved);
      answer.give({ ok: true, record: recordOf(moved) });
    });
  void keep(asked).then(send);
  return answer.outcome;
}

import type { CommandState } from "@mulkko/shared/live/devices";
import type { CommandOutcome, CommandRequest } from "../ports/commands.ts";
import type { SendResult } from "../ports/valves.ts";
import { createAnswer } from "./answers.ts";
import { entryInState, entryOfRequest, eventOf, recordOf } from "./command-log-entry.ts";
import type { DeskTools } from "./desk-tools.ts";
import { dispatch } from "./dispatch.ts";

/** Where the farm API's answer leaves a command that is sent once. */
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
 * A command that moves no valve (the resets of modes, and what the legacy form knows): sent once as it is, logged
 * and told like the others. It ends where the farm API's answer leaves it.
 */
export function forwardCommand(
  request: CommandRequest,
  channelKey: string,
  tools: DeskTools,
): Promise<CommandOutcome> {
  const { writer, durable, timers, time } = tools;
  const at = time.now();
  const asked = entryOfRequest(request, channelKey, at, null);
  const answer = createAnswer(timers, false, asked, request.answerWithinMs);
  const keep = (record: typeof asked) =>
    durable.keep({ commands: [{ commandId: record.commandId, at, record }] });
  const { commandId, form, controllerId, number, command, payload, token, traceId } = request;
  writer.event(eventOf(asked));
  const send = (): void =>
    dispatch(tools, { commandId, form, controllerId, number, command, payload, token, traceId }, (result) => {
      const { state, reason } = outcomeOf(result);
      const moved = entryInState(asked, state, reason, time.now());
      writer.event(eventOf(moved));
      void keep(moved);
      answer.give({ ok: true, record: recordOf(moved) });
    });
  void keep(asked).then(send);
  return answer.outcome;
}

import { type Intent, isPending } from "../core/intent.ts";
import { closePressed, openPressed, type Press } from "../core/intent-steps.ts";
import type { CommandRequest } from "../ports/commands.ts";
import type { ValveStep } from "../ports/durable.ts";
import type { Answer } from "./answers.ts";
import type { ChannelState } from "./channel-state.ts";
import type { ChannelSteps } from "./channel-steps.ts";
import { entryInState, entryOfRequest, recordOf } from "./command-log-entry.ts";
import type { DeskTools } from "./desk-tools.ts";
import { openRefusal, REFUSED, type Refusal, runSecondsOf } from "./press-rules.ts";

/** Puts a press down before anything is sent; rejects when the store does not keep it (RUN-3). */
export type PutDown = (step: ValveStep) => Promise<void>;

/**
 * What a press does in its turn: it is refused, joins the pending command of the same target (CMD-2), or its
 * intent takes the channel.
 *
 * @param putDown the store's own way, or one shared with other channels (RUN-5)
 */
export async function notePress(
  state: ChannelState,
  tools: DeskTools,
  steps: ChannelSteps,
  press: { request: CommandRequest; at: number; answer: Answer; putDown: PutDown },
): Promise<"taken" | "left"> {
  const { durable, upstream, time, log, writer } = tools;
  const { request, at, answer, putDown } = press;
  const { intent, entry, channelKey } = state;
  if (answer.abandoned) return "left";
  const target = request.target === 1 ? "open" : "close";
  if (intent && entry && isPending(intent) && intent.want === target) {
    const same = {
      ...entryOfRequest(request, channelKey, at, entry.until),
      state: entry.state,
      sameAs: entry.commandId,
    };
    await durable.keep({ commands: [{ commandId: same.commandId, at, record: same }] });
    answer.give({ ok: true, record: recordOf(entry) });
    return "left";
  }
  const closers = { timesRuns: upstream.has("timed-run"), ownSession: upstream.ownSession };
  const { runs } = tools;
  const refusal =
    target === "open"
      ? openRefusal(request, runSecondsOf(request, channelKey, runs), writer, closers, runs, at)
      : null;
  if (refusal) {
    await noteRefusal(state, tools, steps, press, refusal);
    answer.give(refusal);
    return "left";
  }
  const next = intentOf(state, tools, request, at);
  const nextEntry = entryOfRequest(request, channelKey, at, next.want === "open" ? next.until : null);
  try {
    await putDown(steps.stepOf(next, [nextEntry]));
  } catch (error) {
    log.error({ err: error, channelKey }, "the store does not keep a command");
    if (target === "open") {
      answer.give(REFUSED.storeDown);
      return "left";
    }
  }
  if (answer.abandoned) {
    await durable.keep(steps.stepOf(intent, [entryInState(nextEntry, "failed", "store-down", time.now())]));
    return "left";
  }
  answer.begun(nextEntry);
  state.answers.set(nextEntry.commandId, answer);
  state.token = request.byRelay ? null : request.token;
  await durable.keep(steps.stepOf(next, steps.supersede(next, nextEntry)));
  return "taken";
}

/** Refused at the door: logged and told like any end of a command, and the channel's intent stays as it is. */
async function noteRefusal(
  { channelKey }: ChannelState,
  { durable }: DeskTools,
  steps: ChannelSteps,
  { request, at }: { request: CommandRequest; at: number },
  refusal: Refusal,
): Promise<void> {
  const asked = entryOfRequest(request, channelKey, at, null);
  const refused = entryInState(asked, "refused", refusal.code, at);
  steps.tell(refused);
  await durable.keep({ commands: [{ commandId: refused.commandId, at, record: refused }] });
}

function intentOf(
  { channelKey, intent, seen }: ChannelState,
  { newId, upstream, runs }: DeskTools,
  request: CommandRequest,
  at: number,
): Intent {
  const { controllerId, number, form, commandId, by, origin, traceId } = request;
  const runId = newId();
  const press: Press = {
    channelKey,
    controllerId,
    number,
    form,
    runId,
    commandId,
    by,
    origin,
    traceId,
    at,
  };
  if (request.target !== 1) return closePressed(press, intent);
  const timed = upstream.has("timed-run");
  const runUntilBefore = seen?.report.runUntil ?? null;
  return openPressed(
    press,
    { runSeconds: runSecondsOf(request, channelKey, runs), timed, runUntilBefore },
    intent,
  );
}

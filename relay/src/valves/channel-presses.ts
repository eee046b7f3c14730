import { type Intent, isPending } from "../core/intent.ts";
import { closePressed, openPressed, type Press } from "../core/intent-steps.ts";
import type { CommandRequest } from "../ports/commands.ts";
import type { ValveStep } from "../ports/durable.ts";
import { type Answer, createAnswer } from "./answers.ts";
import type { ChannelState } from "./channel-state.ts";
import type { ChannelSteps } from "./channel-steps.ts";
import { type CommandLogEntry, entryInState, entryOfRequest, recordOf } from "./command-log-entry.ts";
import type { DeskTools } from "./desk-tools.ts";
import { comesTooLate, openRefusal, REFUSED, type Refusal, runSecondsOf } from "./press-rules.ts";

/** Puts a press down before anything is sent; rejects when the store does not keep it (RUN-3). */
export type PutDown = (step: ValveStep) => Promise<void>;

/** One press as its turn comes. Times are store time, ms UTC. */
interface TurnedPress {
  readonly request: CommandRequest;
  /** Of an opening its press, of a close its arrival: closes are never late. */
  readonly at: number;
  readonly pressedAt: number;
  readonly answer: Answer;
  /** The store's own way, or one shared with other channels (RUN-5). */
  readonly putDown: PutDown;
}

/**
 * What a press does in its turn: it is refused, joins the pending command of the same target (CMD-2), or its
 * intent takes the channel.
 */
export async function notePress(
  state: ChannelState,
  tools: DeskTools,
  steps: ChannelSteps,
  press: TurnedPress,
): Promise<"taken" | "left"> {
  const { durable, upstream, time, log, writer } = tools;
  const { request, at, pressedAt, answer, putDown } = press;
  const { intent, entry, channelKey } = state;
  if (answer.abandoned) return "left";
  const target = request.target === 1 ? "open" : "close";
  const late = target === "open" ? lateRefusal(state, tools, press) : null;
  if (late) {
    await noteRefusal(state, tools, steps, press, late);
    answer.give(late);
    return "left";
  }
  if (target === "close" && request.byRelay === undefined) {
    state.closePressedAt = Math.max(state.closePressedAt ?? pressedAt, pressedAt);
  }
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

/** Why an opening is not carried out any more, wherever it waited (CMD-11); null if it comes in time. */
function lateRefusal(
  { closePressedAt }: ChannelState,
  { time, isWithdrawn }: DeskTools,
  { request, pressedAt }: TurnedPress,
): Refusal | null {
  if (isWithdrawn(request.commandId)) return REFUSED.withdrawn;
  const callerGone = request.callerGone === true;
  const late = comesTooLate({ pressedAt, now: time.now(), closePressedAt, callerGone });
  return late ? REFUSED.expired : null;
}

/**
 * An opening is taken back (CMD-12): the channel's intent becomes a close if it is this opening's, an opening that never
 * came is put down as refused, and what has ended otherwise stays as it is.
 */
export async function noteWithdrawal(
  state: ChannelState,
  tools: DeskTools,
  steps: ChannelSteps,
  withdrawal: {
    opening: CommandRequest;
    answer: Answer;
    stored: () => Promise<CommandLogEntry | null>;
  },
): Promise<"taken" | "left"> {
  const { durable, time, timers, newId, log } = tools;
  const { opening, answer, stored } = withdrawal;
  const { intent, entry, channelKey } = state;
  const now = time.now();
  if (intent?.want === "open" && entry !== null && intent.commandId === opening.commandId) {
    const { form, controllerId, number } = intent;
    const close: CommandRequest = {
      ...opening,
      ...{ form, controllerId, number, payload: 2, target: 2, maxRunSeconds: undefined },
      commandId: newId(),
    };
    const asked = entryOfRequest(close, channelKey, now, null);
    const turned: TurnedPress = {
      request: close,
      at: now,
      pressedAt: now,
      answer: createAnswer(timers, false, asked, close.answerWithinMs),
      putDown: durable.must,
    };
    const taken = await notePress(state, tools, steps, turned);
    answer.give({ ok: true, record: recordOf(entryInState(entry, "superseded", null, now)) });
    return taken;
  }
  try {
    const known = await stored();
    if (known === null) {
      const asked = entryOfRequest(opening, channelKey, now, null);
      const refused = entryInState(asked, "refused", REFUSED.withdrawn.code, now);
      await durable.must({ commands: [{ commandId: refused.commandId, at: now, record: refused }] });
      steps.tell(refused);
      answer.give({ ok: true, record: recordOf(refused) });
    } else answer.give({ ok: true, record: recordOf(known) });
  } catch (error) {
    log.error({ err: error, channelKey }, "an opening that is taken back cannot be looked up or kept");
    answer.give(REFUSED.storeDown);
  }
  return "left";
}

/** Refused at the door: logged and told like any end of a command, and the channel's intent stays as it is. */
async function noteRefusal(
  { channelKey }: ChannelState,
  { durable, time }: DeskTools,
  steps: ChannelSteps,
  { request, at }: TurnedPress,
  refusal: Refusal,
): Promise<void> {
  const asked = entryOfRequest(request, channelKey, at, null);
  const refused = entryInState(asked, "refused", refusal.code, time.now());
  steps.tell(refused);
  await durable.keep({ commands: [{ commandId: refused.commandId, at, record: refused }] });
}

function intentOf(
  { channelKey, intent, seen }: ChannelState,
  { newId, upstream, runs, time }: DeskTools,
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
    time.now(),
  );
}

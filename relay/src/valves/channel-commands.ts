import type { ValveStep } from "../store/durable.ts";
import { type Answer, createAnswer } from "./answers.ts";
import type { ChannelState } from "./channel-state.ts";
import type { ChannelSteps } from "./channel-steps.ts";
import type { ChannelTools } from "./channel-tools.ts";
import { type CommandLogEntry, entryInState, entryOfRequest, recordOf } from "./command-log-entry.ts";
import { comesTooLate, openRefusal, REFUSED, type Refusal, runSecondsOf } from "./command-rules.ts";
import type { CommandRequest } from "./commands.ts";
import { type Intent, isPending } from "./intent.ts";
import { type Command, commandClose, commandOpen } from "./intent-steps.ts";

/** Persist a command before anything is sent. Rejects when the store does not keep it (RUN-3). */
export type Persist = (step: ValveStep) => Promise<void>;

/** One command whose turn has come. Times are store time, ms UTC. */
interface QueuedCommand {
  readonly request: CommandRequest;
  /** The command time of an opening, the arrival time of a close: a close is never late. */
  readonly at: number;
  readonly pressedAt: number;
  readonly answer: Answer;
  /** The store's own write, or one shared with other channels (RUN-5). */
  readonly persist: Persist;
}

/**
 * Handle a command in its turn: refuse it, join it to the pending command with the same target (CMD-2), or
 * make its intent the channel's intent.
 */
export async function recordCommand(
  state: ChannelState,
  tools: ChannelTools,
  steps: ChannelSteps,
  queued: QueuedCommand,
): Promise<"taken" | "left"> {
  const { durable, upstream, time, log, writer } = tools;
  const { request, at, pressedAt, answer, persist } = queued;
  const { intent, entry, channelKey } = state;
  if (answer.abandoned) return "left";
  const target = request.target === 1 ? "open" : "close";
  const late = target === "open" ? lateRefusal(state, tools, queued) : null;
  if (late) {
    await noteRefusal(state, tools, steps, queued, late);
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
    await durable.writeOrRetry({ commands: [{ commandId: same.commandId, at, record: same }] });
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
    await noteRefusal(state, tools, steps, queued, refusal);
    answer.give(refusal);
    return "left";
  }
  const next = intentOf(state, tools, request, at);
  const nextEntry = entryOfRequest(request, channelKey, at, next.want === "open" ? next.until : null);
  try {
    await persist(steps.stepOf(next, [nextEntry]));
  } catch (error) {
    log.error({ event: "command-not-stored", err: error, channelKey }, "cannot store command");
    if (target === "open") {
      answer.give(REFUSED.storeDown);
      return "left";
    }
  }
  if (answer.abandoned) {
    await durable.writeOrRetry(
      steps.stepOf(intent, [entryInState(nextEntry, "failed", "store-down", time.now())]),
    );
    return "left";
  }
  answer.begun(nextEntry);
  state.answers.set(nextEntry.commandId, answer);
  state.token = request.byRelay ? null : request.token;
  await durable.writeOrRetry(steps.stepOf(next, steps.supersede(next, nextEntry)));
  return "taken";
}

/** Return the reason why an opening is no longer carried out (CMD-11), or null if it is in time. */
function lateRefusal(
  { closePressedAt }: ChannelState,
  { time, isWithdrawn }: ChannelTools,
  { request, pressedAt }: QueuedCommand,
): Refusal | null {
  if (isWithdrawn(request.commandId)) return REFUSED.withdrawn;
  const callerGone = request.callerGone === true;
  const late = comesTooLate({ pressedAt, now: time.now(), closePressedAt, callerGone });
  return late ? REFUSED.expired : null;
}

/**
 * Withdraw an opening (CMD-12).
 *
 * - If the channel's intent is this opening, the intent becomes a close.
 * - If the opening never arrived, it is stored as refused.
 * - If it has ended otherwise, it stays as it is.
 */
export async function noteWithdrawal(
  state: ChannelState,
  tools: ChannelTools,
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
    const turned: QueuedCommand = {
      request: close,
      at: now,
      pressedAt: now,
      answer: createAnswer(timers, false, asked, close.answerWithinMs),
      persist: durable.must,
    };
    const taken = await recordCommand(state, tools, steps, turned);
    answer.give({ ok: true, record: recordOf(entryInState(entry, "superseded", null, now)) });
    return taken;
  }
  try {
    const known = await stored();
    if (known === null) {
      const asked = entryOfRequest(opening, channelKey, now, null);
      const refused = entryInState(asked, "refused", REFUSED.withdrawn.code, now);
      await durable.must({ commands: [{ commandId: refused.commandId, at: now, record: refused }] });
      steps.publishStep(refused);
      answer.give({ ok: true, record: recordOf(refused) });
    } else answer.give({ ok: true, record: recordOf(known) });
  } catch (error) {
    log.error(
      { event: "withdrawal-not-stored", err: error, channelKey },
      "cannot look up or store withdrawn opening",
    );
    answer.give(REFUSED.storeDown);
  }
  return "left";
}

/**
 * Refuse a command before it reaches the channel: log and publish its end, and leave the channel's intent as
 * it is.
 */
async function noteRefusal(
  { channelKey }: ChannelState,
  { durable, time }: ChannelTools,
  steps: ChannelSteps,
  { request, at }: QueuedCommand,
  refusal: Refusal,
): Promise<void> {
  const asked = entryOfRequest(request, channelKey, at, null);
  const refused = entryInState(asked, "refused", refusal.code, time.now());
  steps.publishStep(refused);
  await durable.writeOrRetry({ commands: [{ commandId: refused.commandId, at, record: refused }] });
}

function intentOf(
  { channelKey, intent, seen }: ChannelState,
  { newId, upstream, runs, time }: ChannelTools,
  request: CommandRequest,
  at: number,
): Intent {
  const { controllerId, number, form, commandId, by, origin, traceId } = request;
  const runId = newId();
  const press: Command = {
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
  const shown = seen?.report.onoff ?? null;
  if (request.target !== 1) return commandClose(press, intent, shown);
  const timed = upstream.has("timed-run");
  const runUntilBefore = seen?.report.runUntil ?? null;
  return commandOpen(
    press,
    { runSeconds: runSecondsOf(request, channelKey, runs), timed, runUntilBefore, shown },
    intent,
    time.now(),
  );
}

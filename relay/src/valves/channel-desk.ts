// Long because everything that one channel does passes its one intent: taken apart, its order would be spread out.
import type { ChannelCommand, CommandState } from "@mulkko/shared/live/devices";
import { type Intent, isPending, openWindowEnd, remainingSeconds } from "../core/intent.ts";
import {
  answered,
  closeByRelay,
  closePressed,
  ended,
  openPressed,
  type Press,
  reported,
  resumed,
  sending,
  shifted,
} from "../core/intent-steps.ts";
import { type Action, nextAction } from "../core/next-action.ts";
import { isNewer, type Seen, saidAt } from "../core/report-order.ts";
import { causeOf, endReasonOf } from "../core/watering-story.ts";
import type { ChannelReport, CommandOutcome, CommandRequest, SendResult } from "../ports.ts";
import { type Answer, createAnswer } from "./answers.ts";
import { commandOf, commandShown, runShown } from "./channel-fields.ts";
import {
  type CommandLogEntry,
  entryInState,
  entryOfIntent,
  entryOfRequest,
  eventOf,
  recordOf,
} from "./command-log-entry.ts";
import type { DeskTools } from "./desk-tools.ts";
import { dispatch, outgoingClose, outgoingOpen } from "./dispatch.ts";
import { createMailbox } from "./mailbox.ts";
import { openRefusal, REFUSED, type Refusal, runSecondsOf } from "./press-rules.ts";

/** Steps taken in one go; a decision that never comes to rest is a fault, and is told as one. */
const ROUNDS = 16;
/** A channel looks again at least so often, so that a clock that was set is noticed. */
const LOOK_MS = 30_000;
/** ms until a channel whose mailbox is full looks again. */
const FULL_MS = 1_000;
/** How long a command that was refused or failed stays on the panel. */
const LINGER_MS = 60_000;

/** One channel: its intent, what it reported, and its timer. Everything happens in the order of its mailbox. */
export interface ChannelDesk {
  readonly busy: boolean;
  readonly entry: CommandLogEntry | null;
  press(request: CommandRequest): Promise<CommandOutcome>;
  report(report: ChannelReport): void;
  heard(controllerId: string): void;
  /** Takes up a stored intent (RUN-3). */
  resume(intent: Intent, entry: CommandLogEntry | null): void;
  /** The wall clock was set by so many ms (RUN-4). */
  shift(ms: number): void;
  close(): void;
}

// Over 300 lines would be too many; under it, this stays whole: it is the one place where a channel's state lives.
export function createChannelDesk(channelKey: string, tools: DeskTools): ChannelDesk {
  const { writer, durable, upstream, reads, timers, time, log, waterings, newId } = tools;
  const mailbox = createMailbox(log);
  let intent: Intent | null = null;
  let entry: CommandLogEntry | null = null;
  let seen: Seen | null = null;
  let heardAt: number | null = null;
  let token: string | null = null;
  let turnedAway = 0;
  let pressesWaiting = 0;
  let closed = false;
  let lingering: { command: ChannelCommand; until: number } | null = null;
  let timer: { cancel(): void } | null = null;
  const answers = new Map<string, Answer>();

  const publish = (): void => {
    const channel = writer.get(channelKey);
    if (channel === undefined) return;
    if (lingering && time.now() >= lingering.until) lingering = null;
    const command = commandShown(intent) ?? lingering?.command ?? null;
    writer.patch(channelKey, { command, ...runShown(intent, seen?.report ?? null, channel.onoff) });
  };
  let lookWaits = false;
  /** Lets `nextAction` decide in its turn; what waits already will do. A full mailbox is looked into again. */
  const look = (): void => {
    if (lookWaits || closed) return;
    lookWaits = true;
    const posted = mailbox.post(async () => {
      lookWaits = false;
      await run();
    }, "urgent");
    if (posted) return;
    lookWaits = false;
    arm(time.now() + FULL_MS);
  };
  const arm = (until: number): void => {
    timer?.cancel();
    const next = lingering ? Math.min(until, lingering.until) : until;
    if (closed) return;
    const ms = Math.min(LOOK_MS, Math.max(1, next - time.now()));
    timer = timers.after(ms, () => {
      timer = null;
      tools.noticeJump();
      look();
    });
  };
  const stepOf = (next: Intent | null, commands: readonly CommandLogEntry[]) => ({
    intents: [{ channelKey, intent: next }],
    commands: commands.map((record) => ({ commandId: record.commandId, at: record.at, record })),
  });
  const tell = (moved: CommandLogEntry): void => {
    log.info(
      {
        commandId: moved.commandId,
        traceId: moved.traceId,
        channelKey,
        target: moved.target,
        state: moved.state,
        reason: moved.reason,
      },
      "a valve command moved on",
    );
    writer.event(eventOf(moved));
    answers.get(moved.commandId)?.moved(moved);
    if (moved.state !== "requested") answers.delete(moved.commandId);
  };

  /** The intent moves on, and its command with it where the state is another. */
  const advance = async (next: Intent, reason: string | null): Promise<void> => {
    const before = intent?.state;
    intent = next;
    if (next.state === before || entry === null) {
      await durable.keep(stepOf(next, []));
      return;
    }
    entry = entryInState(entry, next.state, reason, time.now());
    if (next.state === "refused" || next.state === "failed") {
      lingering = { command: commandOf(next), until: time.now() + LINGER_MS };
    }
    publish();
    tell(entry);
    await durable.keep(stepOf(next, [entry]));
  };
  /** Another intent takes the channel; a command that was still open ends as superseded (CMD-0). */
  const supersede = (next: Intent, nextEntry: CommandLogEntry): CommandLogEntry[] => {
    const old =
      entry && intent && isPending(intent) ? entryInState(entry, "superseded", null, time.now()) : null;
    intent = next;
    entry = nextEntry;
    turnedAway = 0;
    lingering = null;
    publish();
    if (old) tell(old);
    tell(nextEntry);
    return old ? [old, nextEntry] : [nextEntry];
  };
  const closeAfter = async (why: "run-end" | "late-open"): Promise<void> => {
    if (intent === null) return;
    const close = closeByRelay(intent, why, newId(), time.now());
    await durable.keep(stepOf(close, supersede(close, entryOfIntent(close, why))));
  };
  const forget = async (): Promise<void> => {
    intent = null;
    entry = null;
    publish();
    await durable.keep(stepOf(null, []));
  };

  const take = (sendNumber: number, commandId: string) => (result: SendResult) => {
    tools.noticeJump();
    mailbox.post(async () => {
      if (intent === null || intent.commandId !== commandId) return;
      const newest = intent.sends === sendNumber && intent.answer === "waiting";
      if (!newest && result.kind !== "accepted") return;
      if (result.kind === "refused" || result.kind === "not-sent") turnedAway += 1;
      await advance(answered(intent, result, time.now()), null);
      const gone = result.kind === "refused" && result.status === 404 && writer.get(channelKey) === undefined;
      if (gone) await advance(ended(intent, "failed"), "channel-gone").then(forget);
      await run();
    }, "urgent");
  };
  const sendOpen = async (send: Extract<Action, { do: "send-open" }>): Promise<void> => {
    if (intent?.want !== "open") return;
    const before = intent;
    const bearer = token;
    intent =
      bearer === null ? { ...before, mayResend: false } : sending(before, before.commandId, time.now());
    if (bearer === null) return;
    try {
      await durable.must(stepOf(intent, []));
    } catch (error) {
      log.error({ err: error, channelKey }, "an opening is not sent: its end cannot be kept");
      intent = { ...before, mayResend: false, reason: "store-down" };
      return;
    }
    // The disk may have taken its time. Nothing is sent past a newer wish, nor late.
    const now = time.now();
    if (pressesWaiting > 0 || closed || now >= openWindowEnd(before)) {
      intent = answered(intent, { kind: "not-sent", message: "replaced, or too late" }, now);
      return;
    }
    const leaving = { ...send, remainingSeconds: remainingSeconds(before, now) };
    dispatch(tools, outgoingOpen(before, leaving, bearer), take(intent.sends, intent.commandId));
  };
  const sendClose = async (): Promise<void> => {
    if (intent?.want !== "close") return;
    const sendId = intent.sends === 0 ? intent.commandId : newId();
    intent = sending(intent, sendId, time.now());
    await durable.keep(stepOf(intent, []));
    if (closed) return;
    const command = outgoingClose(intent, sendId, token, turnedAway);
    dispatch(tools, command, take(intent.sends, intent.commandId));
  };

  const act = async (now: Intent, action: Exclude<Action, { do: "wait" }>): Promise<void> => {
    switch (action.do) {
      case "send-open":
        return sendOpen(action);
      case "send-close":
        return sendClose();
      case "read":
        intent = { ...now, readAt: time.now() };
        return reads.due(channelKey, 0);
      case "answer-lost":
        return advance(answered(now, { kind: "unknown", message: "no answer" }, time.now()), null);
      case "confirm":
        return advance({ ...now, state: "confirmed" }, now.proof === "api" ? "reported-by-api" : null);
      case "end":
        return advance(ended(now, action.as), reasonOf(now, action.as));
      case "close-run":
        return closeAfter("run-end");
      case "close-again":
        return closeAfter("late-open");
      case "forget":
        return forget();
    }
  };
  const run = async (): Promise<void> => {
    for (let round = 0; intent !== null && !closed; round++) {
      const action = nextAction(intent, { seen, heardAt }, time.now());
      if (action.do === "wait") {
        arm(action.until);
        break;
      }
      if (round >= ROUNDS) {
        log.error({ channelKey, action: action.do }, "a valve's decision does not come to rest");
        arm(time.now() + 1_000);
        break;
      }
      await act(intent, action);
    }
    if (intent === null) {
      timer?.cancel();
      timer = null;
      if (lingering) arm(lingering.until);
    }
    publish();
  };

  const notePress = async (request: CommandRequest, at: number, answer: Answer): Promise<void> => {
    if (answer.abandoned) return;
    const target = request.target === 1 ? "open" : "close";
    if (intent && entry && isPending(intent) && intent.want === target) {
      const same = {
        ...entryOfRequest(request, channelKey, at, entry.until),
        state: entry.state,
        sameAs: entry.commandId,
      };
      await durable.keep({ commands: [{ commandId: same.commandId, at, record: same }] });
      return answer.give({ ok: true, record: recordOf(entry) });
    }
    const refusal = target === "open" ? refusalOf(request, at) : null;
    if (refusal) {
      await noteRefusal(request, at, refusal);
      return answer.give(refusal);
    }
    const next = intentOf(request, at);
    const until = next.want === "open" ? next.until : null;
    const nextEntry = entryOfRequest(request, channelKey, at, until);
    try {
      await durable.must(stepOf(next, [nextEntry]));
    } catch (error) {
      log.error({ err: error, channelKey }, "the store does not keep a command");
      if (target === "open") return answer.give(REFUSED.storeDown);
    }
    if (answer.abandoned) {
      return durable.keep(stepOf(intent, [entryInState(nextEntry, "failed", "store-down", time.now())]));
    }
    answer.begun(nextEntry);
    answers.set(nextEntry.commandId, answer);
    token = request.token;
    await durable.keep(stepOf(next, supersede(next, nextEntry)));
    await run();
  };
  const refusalOf = (request: CommandRequest, at: number): Refusal | null => {
    const closers = { timesRuns: upstream.has("timed-run"), ownSession: upstream.ownSession };
    return openRefusal(request, writer, closers, at);
  };
  /** Refused at the door: logged and told like any end of a command, and the channel's intent stays as it is. */
  const noteRefusal = async (request: CommandRequest, at: number, refusal: Refusal): Promise<void> => {
    const asked = entryOfRequest(request, channelKey, at, null);
    const refused = entryInState(asked, "refused", refusal.code, at);
    tell(refused);
    await durable.keep({ commands: [{ commandId: refused.commandId, at, record: refused }] });
  };
  const intentOf = (request: CommandRequest, at: number): Intent => {
    const { controllerId, number, form, commandId, by, origin, traceId } = request;
    const press: Press = {
      channelKey,
      controllerId,
      number,
      form,
      runId: newId(),
      commandId,
      by,
      origin,
      traceId,
      at,
    };
    if (request.target !== 1) return closePressed(press, intent);
    const timed = upstream.has("timed-run");
    const runUntilBefore = seen?.report.runUntil ?? null;
    return openPressed(press, { runSeconds: runSecondsOf(request), timed, runUntilBefore }, intent);
  };

  const noteReport = async (report: ChannelReport): Promise<void> => {
    const now = time.now();
    // Begun before the clock was set back: nobody can tell what it shows; the next read will.
    if (report.askedAt > now) return;
    if (report.onoff === 1) waterings.saw(channelKey, Math.min(now, saidAt(report) ?? now));
    if (!isNewer(report, seen)) return;
    const acting = intent;
    seen = { report, arrivedAt: now };
    if (intent) intent = reported(intent, report, now);
    const running = waterings.running(channelKey);
    const at = Math.min(now, saidAt(report) ?? now);
    if (report.onoff === 1 && !running) {
      const cause = causeOf(intent, report);
      waterings.begin(channelKey, { cause, by: cause === "person" && intent ? intent.by : null, at });
    }
    if (report.onoff === 2 && running) {
      const unseen = waterings.unseenFor(channelKey);
      waterings.end(channelKey, endReasonOf(acting, running.cause, report, moisture(), unseen), at);
    }
    await run();
  };
  const moisture = () => {
    const value = writer.get(channelKey);
    const now = typeof value?.moisture === "number" ? value.moisture : null;
    return { now, upperBound: upperBoundOf(value?.modes) };
  };

  return {
    get busy() {
      return intent !== null || mailbox.waiting > 0 || answers.size > 0;
    },
    get entry() {
      return entry;
    },
    press(request) {
      const at = time.now();
      const answer = createAnswer(
        timers,
        request.target === 1,
        entryOfRequest(request, channelKey, at, null),
        request.answerWithinMs,
      );
      pressesWaiting += 1;
      const posted = mailbox.post(
        async () => {
          pressesWaiting -= 1;
          await notePress(request, at, answer);
        },
        request.target === 1 ? "ordinary" : "urgent",
      );
      if (!posted) {
        pressesWaiting -= 1;
        answer.give(REFUSED.tooMany);
      }
      return answer.outcome;
    },
    report(report) {
      // Shown with the state that it belongs to, in one frame; what follows from it comes in its turn.
      const channel = writer.get(channelKey);
      if (channel && isNewer(report, seen)) writer.patch(channelKey, runShown(intent, report, channel.onoff));
      mailbox.post(() => noteReport(report));
    },
    heard(controllerId) {
      if (intent?.want !== "close" || intent.controllerId !== controllerId) return;
      heardAt = time.now();
      look();
    },
    resume(stored, storedEntry) {
      mailbox.post(async () => {
        intent = resumed(stored, time.now());
        entry = storedEntry ?? entryOfIntent(stored, null);
        reads.due(channelKey, 0);
        await run();
      }, "urgent");
    },
    shift(ms) {
      mailbox.post(async () => {
        if (intent) await advance(shifted(intent, ms), null);
        if (heardAt !== null) heardAt += ms;
        if (lingering) lingering = { ...lingering, until: lingering.until + ms };
        // Times said before the jump cannot be set against those said after it.
        if (seen) {
          const report = { ...seen.report, at: null, heardAt: null, askedAt: seen.report.askedAt + ms };
          seen = { arrivedAt: 0, report };
        }
        await run();
      }, "urgent");
    },
    close() {
      closed = true;
      timer?.cancel();
      timer = null;
      mailbox.close();
    },
  };
}

function reasonOf(intent: Intent, state: CommandState): string {
  if (state === "unconfirmed") return "no-confirmation";
  return intent.reason ?? "no-confirmation";
}

function upperBoundOf(modes: unknown): number | null {
  if (typeof modes !== "object" || modes === null || !("automatic" in modes)) return null;
  const { automatic } = modes;
  if (typeof automatic !== "object" || automatic === null || !("upperBound" in automatic)) return null;
  return typeof automatic.upperBound === "number" ? automatic.upperBound : null;
}

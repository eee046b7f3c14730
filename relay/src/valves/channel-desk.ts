import type { CommandState } from "@mulkko/shared/live/devices";
import type { Intent } from "../core/intent.ts";
import { answered, ended, reported, resumed, shifted } from "../core/intent-steps.ts";
import { type Action, nextAction } from "../core/next-action.ts";
import { isNewer, saidAt } from "../core/report-order.ts";
import type { ChannelReport } from "../ports/channel-report.ts";
import type { CommandOutcome, CommandRequest } from "../ports/commands.ts";
import { createAnswer } from "./answers.ts";
import { runShown } from "./channel-fields.ts";
import { notePress, noteWithdrawal, type PutDown } from "./channel-presses.ts";
import { createChannelSending } from "./channel-sending.ts";
import { emptyChannel } from "./channel-state.ts";
import { createChannelSteps } from "./channel-steps.ts";
import { type CommandLogEntry, entryOfIntent, entryOfRequest } from "./command-log-entry.ts";
import type { DeskTools } from "./desk-tools.ts";
import { createMailbox } from "./mailbox.ts";
import { REFUSED } from "./press-rules.ts";
import { noteWatering } from "./watering-notes.ts";

/** Steps taken in one go; a decision that never comes to rest is a fault, and is told as one. */
const ROUNDS = 16;
/** A channel looks again at least so often, so that a clock that was set is noticed. */
const LOOK_MS = 30_000;
/** ms until a channel whose mailbox is full looks again. */
const FULL_MS = 1_000;

/** One channel: its intent, what it reported, and its timer. Everything happens in the order of its mailbox. */
export interface ChannelDesk {
  readonly busy: boolean;
  readonly entry: CommandLogEntry | null;
  /** @param putDown how the press is kept; the store's own way if left out */
  press(request: CommandRequest, putDown?: PutDown): Promise<CommandOutcome>;
  /**
   * Takes an opening back (CMD-12).
   *
   * @param stored reads what the log has of it, in the channel's turn
   */
  withdraw(opening: CommandRequest, stored: () => Promise<CommandLogEntry | null>): Promise<CommandOutcome>;
  report(report: ChannelReport): void;
  heard(controllerId: string): void;
  /** Its account's lists do not have it any more; they may have it again. */
  gone(): void;
  /** Takes up a stored intent (RUN-3). */
  resume(intent: Intent, entry: CommandLogEntry | null): void;
  /** The wall clock was set by so many ms (RUN-4). */
  shift(ms: number): void;
  close(): void;
}

export function createChannelDesk(channelKey: string, tools: DeskTools): ChannelDesk {
  const { writer, durable, reads, timers, time, log } = tools;
  const mailbox = createMailbox(log);
  const state = emptyChannel(channelKey);
  const steps = createChannelSteps(state, tools);
  const post = (job: () => Promise<void>): boolean => mailbox.post(job, "urgent");
  let timer: { cancel(): void } | null = null;
  let lookWaits = false;

  /** Lets `nextAction` decide in its turn; what waits already will do. A full mailbox is looked into again. */
  const look = (): void => {
    if (lookWaits || state.closed) return;
    lookWaits = true;
    const posted = post(async () => {
      lookWaits = false;
      await run();
    });
    if (posted) return;
    lookWaits = false;
    arm(time.now() + FULL_MS);
  };
  const disarm = (): void => {
    timer?.cancel();
    timer = null;
  };
  const arm = (until: number): void => {
    disarm();
    if (state.closed) return;
    const next = state.lingering ? Math.min(until, state.lingering.until) : until;
    const ms = Math.min(LOOK_MS, Math.max(1, next - time.now()));
    timer = timers.after(ms, () => {
      timer = null;
      tools.noticeJump();
      look();
    });
  };
  const act = async (now: Intent, action: Exclude<Action, { do: "wait" }>): Promise<void> => {
    switch (action.do) {
      case "send-open":
        return send.open(action);
      case "send-close":
        return send.close();
      case "read":
        state.intent = { ...now, readAt: time.now() };
        return reads.due(channelKey, 0);
      case "answer-lost":
        return steps.advance(answered(now, { kind: "unknown", message: "no answer" }, time.now()), null);
      case "confirm":
        return steps.advance({ ...now, state: "confirmed" }, now.proof === "api" ? "reported-by-api" : null);
      case "end":
        if (state.isGone && writer.get(channelKey) === undefined) return steps.endGone();
        return steps.advance(ended(now, action.as), reasonOf(now, action.as));
      case "close-run":
        return steps.closeAfter("run-end");
      case "close-again":
        return steps.closeAfter("late-open");
      case "forget":
        return steps.forget();
    }
  };
  const run = async (): Promise<void> => {
    for (let round = 0; state.intent !== null && !state.closed; round++) {
      const action = nextAction(state.intent, state, time.now());
      if (action.do === "wait") {
        arm(action.until);
        break;
      }
      if (round >= ROUNDS) {
        log.error({ channelKey, action: action.do }, "a valve's decision does not come to rest");
        arm(time.now() + FULL_MS);
        break;
      }
      await act(state.intent, action);
    }
    if (state.intent === null) {
      disarm();
      if (state.lingering) arm(state.lingering.until);
    }
    steps.publish();
  };
  const send = createChannelSending(state, tools, steps, post, run);

  const noteReport = async (report: ChannelReport): Promise<void> => {
    const now = time.now();
    // Begun before the clock was set back: nobody can tell what it shows; the next read will.
    if (report.askedAt > now) return;
    if (report.onoff === 1) tools.waterings.saw(channelKey, Math.min(now, saidAt(report) ?? now));
    if (!isNewer(report, state.seen)) return;
    const before = state.intent;
    state.seen = { report, arrivedAt: now };
    if (before) state.intent = reported(before, report, now);
    noteWatering(channelKey, tools, report, { before, after: state.intent }, now);
    await run();
  };

  return {
    get busy() {
      return state.intent !== null || mailbox.waiting > 0 || state.answers.size > 0;
    },
    get entry() {
      return state.entry;
    },
    press(request, putDown = durable.must) {
      const now = time.now();
      const pressedAt = Math.min(request.pressedAt ?? now, now);
      const at = request.target === 1 ? pressedAt : now;
      const asked = entryOfRequest(request, channelKey, at, null);
      const answer = createAnswer(timers, request.target === 1, asked, request.answerWithinMs);
      state.pressesWaiting += 1;
      const posted = mailbox.post(
        async () => {
          state.pressesWaiting -= 1;
          const noted = await notePress(state, tools, steps, { request, at, pressedAt, answer, putDown });
          if (noted === "taken") await run();
        },
        request.target === 1 ? "ordinary" : "urgent",
      );
      if (!posted) {
        state.pressesWaiting -= 1;
        answer.give(REFUSED.tooMany);
      }
      return answer.outcome;
    },
    withdraw(opening, stored) {
      const asked = entryOfRequest(opening, channelKey, time.now(), null);
      const answer = createAnswer(timers, true, asked, opening.answerWithinMs);
      const posted = post(async () => {
        if (answer.abandoned) return;
        const done = await noteWithdrawal(state, tools, steps, { opening, answer, stored });
        if (done === "taken") await run();
      });
      if (!posted) answer.give(REFUSED.tooMany);
      return answer.outcome;
    },
    report(report) {
      // Shown with the state that it belongs to, in one frame; what follows from it comes in its turn.
      const channel = writer.get(channelKey);
      if (channel && isNewer(report, state.seen)) {
        writer.patch(channelKey, runShown(state.intent, report, channel.onoff));
      }
      mailbox.post(() => noteReport(report));
    },
    gone() {
      state.isGone = true;
    },
    heard(controllerId) {
      if (state.intent?.want !== "close" || state.intent.controllerId !== controllerId) return;
      state.heardAt = time.now();
      look();
    },
    resume(stored, storedEntry) {
      post(async () => {
        state.intent = resumed(stored, time.now());
        state.entry = storedEntry ?? entryOfIntent(stored, null);
        if (stored.want === "close" && stored.why === "pressed") state.closePressedAt = stored.at;
        reads.due(channelKey, 0);
        await run();
      });
    },
    shift(ms) {
      post(async () => {
        if (state.intent) await steps.advance(shifted(state.intent, ms), null);
        if (state.heardAt !== null) state.heardAt += ms;
        if (state.closePressedAt !== null) state.closePressedAt += ms;
        if (state.lingering) state.lingering = { ...state.lingering, until: state.lingering.until + ms };
        // Times said before the jump cannot be set against those said after it.
        if (state.seen) {
          const { report } = state.seen;
          const moved = { ...report, at: null, heardAt: null, askedAt: report.askedAt + ms };
          state.seen = { arrivedAt: 0, report: moved };
        }
        await run();
      });
    },
    close() {
      state.closed = true;
      disarm();
      mailbox.close();
    },
  };
}

function reasonOf(intent: Intent, ending: CommandState): string {
  if (ending === "unconfirmed") return "no-confirmation";
  return intent.reason ?? "no-confirmation";
}

import type { CommandState } from "@mulkko/shared/live/devices";
import type { ChannelReport } from "../account/channel-report.ts";
import { isNewer, saidAt } from "../account/report-order.ts";
import { createAnswer } from "./answers.ts";
import { noteWithdrawal, type Persist, recordCommand } from "./channel-commands.ts";
import { runShown } from "./channel-fields.ts";
import { createChannelSending } from "./channel-sending.ts";
import { emptyChannel } from "./channel-state.ts";
import { createChannelSteps } from "./channel-steps.ts";
import type { ChannelTools } from "./channel-tools.ts";
import { type CommandLogEntry, entryOfIntent, entryOfRequest } from "./command-log-entry.ts";
import { REFUSED } from "./command-rules.ts";
import type { CommandOutcome, CommandRequest } from "./commands.ts";
import { type Intent, watchesForLate } from "./intent.ts";
import { answered, ended, reported, resumed, shifted } from "./intent-steps.ts";
import { type Action, nextAction } from "./next-action.ts";
import { createSerialQueue } from "./serial-queue.ts";
import { noteWatering } from "./waterings/watering-notes.ts";

/** Steps in one pass. A decision that does not settle within them is a fault and is logged as one. */
const ROUNDS = 16;
/** Longest time between two evaluations of a channel, ms, to notice that the clock was set. */
const EVALUATE_MS = 30_000;
/** ms until a channel with a full queue is evaluated again. */
const FULL_MS = 1_000;

/** One channel: its intent, its reports and its timer. Everything happens in the order of its queue. */
export interface ChannelService {
  readonly busy: boolean;
  readonly entry: CommandLogEntry | null;
  /**
   * Command the channel.
   * @param persist writes the command; the store's own write by default
   */
  command(request: CommandRequest, persist?: Persist): Promise<CommandOutcome>;
  /**
   * Withdraw an opening (CMD-12).
   * @param stored reads the log entry of the opening, in the channel's turn
   */
  withdraw(opening: CommandRequest, stored: () => Promise<CommandLogEntry | null>): Promise<CommandOutcome>;
  report(report: ChannelReport): void;
  received(controllerId: string): void;
  /** Note that another token of the account may be used. */
  credentialLent(): void;
  /** Note that the account's lists no longer contain the channel. It may come back. */
  gone(): void;
  /** Continue a stored intent (RUN-3). */
  resume(intent: Intent, entry: CommandLogEntry | null): void;
  /** Move all times after the wall clock was set by this many ms (RUN-4). */
  shift(ms: number): void;
  close(): void;
}

export function createChannelService(channelKey: string, tools: ChannelTools): ChannelService {
  const { writer, durable, reads, timers, time, log } = tools;
  const queue = createSerialQueue(log);
  const state = emptyChannel(channelKey);
  const steps = createChannelSteps(state, tools);
  const post = (job: () => Promise<void>): boolean => queue.post(job, "urgent");
  let timer: { cancel(): void } | null = null;
  let isQueued = false;

  /** Queue a decision by `nextAction`, unless one waits already. With a full queue, try again later. */
  const evaluate = (): void => {
    if (isQueued || state.closed) return;
    isQueued = true;
    const posted = post(async () => {
      isQueued = false;
      await run();
    });
    if (posted) return;
    isQueued = false;
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
    const ms = Math.min(EVALUATE_MS, Math.max(1, next - time.now()));
    timer = timers.after(ms, () => {
      timer = null;
      tools.noticeJump();
      evaluate();
    });
  };
  const act = async (now: Intent, action: Exclude<Action, { do: "wait" }>): Promise<void> => {
    switch (action.do) {
      case "send-open":
        return send.open(action);
      case "send-close":
        return send.close();
      case "read":
        if (watchesForLate(now) && state.isGone && writer.get(channelKey) === undefined)
          return steps.forget();
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
        log.error(
          { event: "valve-decision-unsettled", channelKey, action: action.do },
          "valve decision does not settle",
        );
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
    // The read began before the clock was set back, so its order is unknown. Wait for the next read.
    if (report.askedAt > now) return;
    if (report.onoff === 1) tools.waterings.saw(channelKey, Math.min(now, saidAt(report) ?? now));
    if (!isNewer(report, state.seen, tools.isPossible)) return;
    const before = state.intent;
    state.seen = { report, arrivedAt: now };
    if (before) state.intent = reported(before, report, now);
    noteWatering(channelKey, tools, report, { before, after: state.intent }, now);
    await run();
  };

  return {
    get busy() {
      return state.intent !== null || queue.waiting > 0 || state.answers.size > 0;
    },
    get entry() {
      return state.entry;
    },
    command(request, persist = durable.must) {
      const now = time.now();
      const pressedAt = Math.min(request.pressedAt ?? now, now);
      const at = request.target === 1 ? pressedAt : now;
      const asked = entryOfRequest(request, channelKey, at, null);
      const answer = createAnswer(timers, request.target === 1, asked, request.answerWithinMs);
      state.commandsWaiting += 1;
      const posted = queue.post(
        async () => {
          state.commandsWaiting -= 1;
          const noted = await recordCommand(state, tools, steps, { request, at, pressedAt, answer, persist });
          if (noted === "taken") await run();
        },
        request.target === 1 ? "ordinary" : "urgent",
      );
      if (!posted) {
        state.commandsWaiting -= 1;
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
      // Patch the end of the run in the same frame as the state. The decision follows in its turn.
      const channel = writer.get(channelKey);
      if (channel && isNewer(report, state.seen, tools.isPossible)) {
        writer.patch(channelKey, runShown(state.intent, report, channel.onoff));
      }
      queue.post(() => noteReport(report));
    },
    gone() {
      state.isGone = true;
    },
    received(controllerId) {
      if (state.intent?.want !== "close" || state.intent.controllerId !== controllerId) return;
      state.heardAt = time.now();
      evaluate();
    },
    credentialLent() {
      if (state.intent?.want !== "close" || state.intent.state === "confirmed") return;
      state.heardAt = time.now();
      evaluate();
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
        // Times reported before the jump cannot be compared with those reported after it.
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
      queue.close();
    },
  };
}

function reasonOf(intent: Intent, ending: CommandState): string {
  if (ending === "unconfirmed") return "no-confirmation";
  return intent.reason ?? "no-confirmation";
}

import type { ChannelCommand, CommandState } from "@mulkko/shared/live/devices";
import type { Timer } from "@mulkko/shared/rules/clock";
import {
  type ChannelReport,
  isNewer,
  passing,
  type Seen,
  saidAt,
  seeing,
} from "../account/channel-report.ts";
import { createTimeAhead } from "../account/time-ahead.ts";
import type { Log } from "../runtime/log.ts";
import { type DocumentChange, put, removed } from "../store/collections.ts";
import type { StateValue } from "../store/streams.ts";
import type { DocumentWriter } from "../store/write-behind.ts";
import type { SendResult, ValveUpstream } from "../upstream/outgoing-command.ts";
import { type Answer, createAnswer } from "./answers.ts";
import {
  type CommandLogEntry,
  entryInState,
  entryOfIntent,
  entryOfRequest,
  eventOf,
  instant,
  putCommand,
  recordOf,
} from "./command-log.ts";
import {
  comesTooLate,
  isOvertakenClose,
  NEWER_OPENING,
  openRefusal,
  REFUSED,
  type Refusal,
  runSecondsOf,
} from "./command-rules.ts";
import type { CommandOutcome, CommandRequest } from "./commands.ts";
import { dispatch, outgoingClose, outgoingOpen } from "./dispatch.ts";
import {
  type CloseIntent,
  INTENTS,
  type Intent,
  isPending,
  openWindowEnd,
  relayEnd,
  remainingSeconds,
  watchesForLate,
} from "./intent.ts";
import {
  answered,
  type Command,
  closeByRelay,
  commandClose,
  commandOpen,
  ended,
  notAhead,
  reported,
  resumed,
  sending,
  shifted,
} from "./intent-steps.ts";
import { type Action, nextAction } from "./next-action.ts";
import { createSerialQueue } from "./serial-queue.ts";
import type { StoreTime } from "./store-time.ts";
import { UnansweredCloses } from "./unanswered-closes.ts";
import type { RunLimits, ValveState } from "./valves.ts";
import { noteWatering, type WateringRegistry } from "./waterings/watering-registry.ts";

/** Steps in one pass. A decision that does not settle within them is a fault and is logged as one. */
const ROUNDS = 16;
/** Longest time between two evaluations of a channel, ms, to notice that the clock was set. */
const EVALUATE_MS = 30_000;
/** Change of the farm API's clock, ms, from which times before and after it cannot be compared. */
const CLOCK_SET_MS = 10_000;
/** ms until a channel with a full queue is evaluated again. */
const FULL_MS = 1_000;

/** ms for which a refused or failed command stays on the panel. */
const LINGER_MS = 60_000;

/** ms for which the store's last answer about this node's ownership is trusted. */
const CLAIM_GOOD_MS = 1_000;

/** Dependencies that the channels of one service share. */
export interface ChannelDeps {
  readonly state: ValveState;
  readonly durable: DocumentWriter;
  readonly upstream: ValveUpstream;
  readonly runs: RunLimits;
  readonly time: StoreTime;
  readonly log: Log;
  readonly waterings: WateringRegistry;
}

/** Persist a command before anything is sent. Rejects when the store does not keep it (RUN-3). */
export type Persist = (step: readonly DocumentChange[]) => Promise<void>;

/** One command whose turn has come. Times are store time, ms UTC. */
interface QueuedCommand {
  readonly request: CommandRequest;
  /** The command time of an opening, the arrival time of a close: a close is never late. */
  readonly at: number;
  readonly pressedAt: number;
  readonly answer: Answer;
  readonly persist: Persist;
  readonly isWithdrawn: () => boolean;
}

/** The context of a command at its channel. */
export interface CommandContext {
  /** Write the command: alone by default, or in a step shared with other channels (RUN-5). */
  readonly persist?: Persist;
  /** Return true for an opening that its sender has withdrawn meanwhile (CMD-12). */
  readonly isWithdrawn?: () => boolean;
}

/**
 * One channel: its intent, its reports and its timer. Everything happens in the order of its queue: a command
 * is stored as the channel's intent, `nextAction` decides after every report, answer and timer, and each step
 * is shown, published and stored.
 */
export interface Channel {
  readonly busy: boolean;
  readonly entry: CommandLogEntry | null;
  command(request: CommandRequest, context?: CommandContext): Promise<CommandOutcome>;
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

export function createChannel(channelKey: string, deps: ChannelDeps, newId: () => string): Channel {
  const { state, durable, upstream, runs, time, log, waterings } = deps;
  const { isPossible } = createTimeAhead(time.now, () => time.now() + upstream.offsetMs);
  const queue = createSerialQueue(log);
  const post = (job: () => Promise<void>): boolean => queue.post(job, "urgent");
  let timer: Timer | null = null;
  let isQueued = false;
  let closed = false;
  /** True once the account's lists have lost the channel. */
  let isGone = false;
  /** The one stored intent (CMD-0), and the log entry of its command. */
  let intent: Intent | null = null;
  let entry: CommandLogEntry | null = null;
  /** The newest report. */
  let seen: Seen | null = null;
  /**
   * Store time at which the controller last reported or another token arrived: a close is sent again (CMD-4).
   */
  let lastSeenAt: number | null = null;
  /**
   * Token of the person who gave the command (CRED-2). Lost at a restart, and dropped once the farm API
   * rejects it.
   */
  let token: string | null = null;
  /**
   * Number of sends of this intent that were rejected or did not leave. A close then uses the other
   * credential.
   */
  let turnedAway = 0;
  /** Store time of the newest close by a person. Commands given before it open nothing (CMD-11). */
  let closePressedAt: number | null = null;
  /** Number of commands that wait for their turn. The commands that they replace are no longer sent. */
  let commandsWaiting = 0;
  /** A command that ended in a refusal or failure and is still shown. */
  let lingering: { command: ChannelCommand; until: number } | null = null;
  const unansweredCloses = new UnansweredCloses();
  /** Callers that wait, by command id. */
  const answers = new Map<string, Answer>();

  // What every screen shows.

  const publish = (): void => {
    const channel = state.get(channelKey);
    if (channel === undefined) return;
    if (lingering && time.now() >= lingering.until) lingering = null;
    const command = commandShown(intent) ?? lingering?.command ?? null;
    state.patch(channelKey, { command, ...runShown(intent, seen?.report ?? null, channel.onoff) });
  };
  /** Send the newest step of a command to every viewer, the log and a waiting caller. */
  const publishStep = (moved: CommandLogEntry): void => {
    const { commandId, traceId, target, state: reached, reason } = moved;
    log.info(
      { event: "command-state-changed", commandId, traceId, channelKey, target, state: reached, reason },
      "command changed state",
    );
    state.event(eventOf(moved));
    answers.get(commandId)?.moved(moved);
    if (reached !== "requested") answers.delete(commandId);
  };

  // Steps of the intent and its command: shown, published and stored together.

  const must: Persist = (step) => durable.must(step);
  const stepOf = (stored: Intent | null, commands: readonly CommandLogEntry[]): DocumentChange[] => [
    stored === null ? removed(INTENTS, channelKey) : put(INTENTS, channelKey, stored),
    ...commands.map((entry) => putCommand(entry)),
  ];
  /**
   * Replace the channel's intent. A pending command ends as superseded (CMD-0). Return the entries to persist
   * with the intent.
   */
  const supersede = (next: Intent, nextEntry: CommandLogEntry): CommandLogEntry[] => {
    const old =
      entry && intent && isPending(intent) ? entryInState(entry, "superseded", null, time.now()) : null;
    intent = next;
    entry = nextEntry;
    turnedAway = 0;
    lingering = null;
    publish();
    if (old) publishStep(old);
    publishStep(nextEntry);
    return old ? [old, nextEntry] : [nextEntry];
  };
  /** Store the next intent, and advance its command where the state differs. */
  const advance = async (next: Intent, reason: string | null): Promise<void> => {
    const before = intent?.state;
    intent = next;
    if (next.state === before || entry === null) {
      await durable.put(stepOf(next, []));
      return;
    }
    const moved = entryInState(entry, next.state, reason, time.now());
    entry = moved;
    if (next.state === "refused" || next.state === "failed") {
      lingering = { command: commandOf(next), until: time.now() + LINGER_MS };
    }
    publish();
    publishStep(moved);
    await durable.put(stepOf(next, [moved]));
  };
  const forget = async (): Promise<void> => {
    intent = null;
    entry = null;
    publish();
    await durable.put(stepOf(null, []));
  };
  /** End the intent of a removed channel. A pending command ends as superseded. */
  const endGone = async (): Promise<void> => {
    if (intent !== null) await advance({ ...intent, state: "superseded" }, "channel-gone");
    await forget();
  };
  /** Close the valve by a command of the relay itself. */
  const closeAfter = async (why: "run-end" | "late-open"): Promise<void> => {
    if (intent === null) return;
    const close = closeByRelay(intent, why, newId(), time.now(), seen?.report.onoff ?? null);
    const earlier = why === "late-open" ? close.earlierOpens?.press : undefined;
    const closing: CommandLogEntry = {
      ...entryOfIntent(close, why),
      ...(earlier && { lateOpening: { at: earlier.at, by: earlier.by } }),
    };
    await durable.put(stepOf(close, supersede(close, closing)));
  };

  // Commands to the farm API.

  /**
   * Handle the answer to a send.
   * @param bearer the person's token that the command was sent with
   */
  const handleResult = (sendNumber: number, commandId: string, bearer?: string) => (result: SendResult) => {
    time.noticeJump();
    post(async () => {
      if (intent === null || intent.commandId !== commandId) return;
      const newest = intent.sends === sendNumber && intent.answer === "waiting";
      if (!newest && result.kind !== "accepted") return;
      if (result.kind === "refused" || result.kind === "not-sent") turnedAway += 1;
      if (result.kind === "refused" && result.status === 401 && token === bearer) token = null;
      await advance(answered(intent, result, time.now()), null);
      const unlisted = state.get(channelKey) === undefined;
      if (result.kind === "refused" && unlisted && (isGone || result.status === 404)) await endGone();
      await run();
    });
  };
  const sendOpen = async (send: Extract<Action, { do: "send-open" }>): Promise<void> => {
    if (intent?.want !== "open") return;
    const before = intent;
    const bearer = token;
    if (bearer === null) {
      intent = { ...before, mayResend: false };
      return;
    }
    const leaving = sending(before, before.commandId, time.now());
    intent = leaving;
    try {
      await durable.must(stepOf(leaving, []));
    } catch (error) {
      log.error(
        { event: "opening-not-sent", err: error, channelKey },
        "opening not sent: cannot store its end",
      );
      intent = { ...before, mayResend: false, reason: "store-down" };
      return;
    }
    const isWanted = () =>
      intent?.commandId === before.commandId &&
      commandsWaiting === 0 &&
      !closed &&
      time.now() < openWindowEnd(before);
    // The write may have been slow. Never send after a newer command, nor too late.
    const now = time.now();
    if (!isWanted()) {
      intent = answered(leaving, { kind: "not-sent", message: "replaced, or too late" }, now);
      return;
    }
    const remaining = { ...send, remainingSeconds: remainingSeconds(before, now) };
    const opening = outgoingOpen(before, remaining, bearer);
    const outgoing = { ...opening, replaces: unansweredCloses.ids, isWanted };
    dispatch(deps, outgoing, handleResult(leaving.sends, leaving.commandId, bearer));
  };
  /**
   * Return true if this node still decides about the valve (NODE-5): only then may a close overtake a newer
   * opening. The store's answer may be a second old. While the store is away the close is sent anyway, and so
   * is a close that a person gave just now: nothing newer can be known.
   */
  const claimed = async (leaving: CloseIntent): Promise<boolean> => {
    const at = time.now();
    let written = await durable.put(stepOf(leaving, []));
    if (written === "written" && time.now() - at > CLAIM_GOOD_MS) {
      written = await durable.put(stepOf(leaving, []));
    }
    if (closed) return false;
    const age = time.now() - leaving.at;
    return written !== "stale" || (leaving.why === "pressed" && age >= 0 && age <= CLAIM_GOOD_MS);
  };
  const sendClose = async (): Promise<void> => {
    if (intent?.want !== "close") return;
    const sendId = intent.sends === 0 ? intent.commandId : newId();
    const leaving = sending(intent, sendId, time.now());
    intent = leaving;
    if (!(await claimed(leaving))) return;
    const byAdministrator = entry?.administrator !== undefined;
    const outgoing = outgoingClose(leaving, sendId, token, turnedAway, byAdministrator);
    const handle = handleResult(leaving.sends, leaving.commandId, outgoing.token);
    unansweredCloses.sent(sendId);
    dispatch(deps, outgoing, (result) => {
      unansweredCloses.answered(sendId, result);
      handle(result);
    });
  };

  // Decisions by `nextAction`.

  /** Queue a decision, unless one waits already. With a full queue, try again later. */
  const evaluate = (): void => {
    if (isQueued || closed) return;
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
    if (closed) return;
    const next = lingering ? Math.min(until, lingering.until) : until;
    timer = time.after(Math.min(EVALUATE_MS, Math.max(1, next - time.now())), () => {
      timer = null;
      time.noticeJump();
      evaluate();
    });
  };
  const act = async (now: Intent, action: Exclude<Action, { do: "wait" }>): Promise<void> => {
    const isRemoved = isGone && state.get(channelKey) === undefined;
    switch (action.do) {
      case "send-open":
        return sendOpen(action);
      case "send-close":
        return sendClose();
      case "read":
        if (watchesForLate(now) && isRemoved) return forget();
        intent = { ...now, readAt: time.now() };
        return state.emit("channelDue", channelKey, 0);
      case "answer-lost":
        return advance(answered(now, { kind: "unknown", message: "no answer" }, time.now()), null);
      case "confirm":
        return advance({ ...now, state: "confirmed" }, now.proof === "api" ? "reported-by-api" : null);
      case "end":
        return isRemoved ? endGone() : advance(ended(now, action.as), reasonOf(now, action.as));
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
      const action = nextAction(intent, { seen, lastSeenAt }, time.now());
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
      await act(intent, action);
    }
    if (intent === null) {
      disarm();
      if (lingering) arm(lingering.until);
    }
    publish();
  };

  // Reports of the valve.

  const noteReport = async (report: ChannelReport): Promise<void> => {
    const now = time.now();
    // The read began before the clock was set back, so its order is unknown. Wait for the next read.
    if (report.askedAt > now) return;
    if (report.onoff === 1) waterings.saw(channelKey, Math.min(now, saidAt(report) ?? now));
    if (!isNewer(report, seen, isPossible)) {
      seen = passing(report, seen);
      return;
    }
    // Times of a farm API whose clock was set since the acceptance cannot be compared with it.
    const isSet = intent !== null && Math.abs(upstream.offsetMs - intent.offsetMs) > CLOCK_SET_MS;
    if (intent !== null && isSet && intent.acceptedAt !== null) intent = { ...intent, timesDoubtful: true };
    const before = intent;
    seen = seeing(report, now, seen);
    if (before) intent = reported(before, report, now);
    noteWatering(channelKey, deps, report, { before, after: intent }, now);
    await run();
  };

  // Commands of people and of the relay.

  /** Return the reason why an opening is no longer carried out (CMD-11), or null if it is in time. */
  const lateRefusal = ({ request, pressedAt, isWithdrawn }: QueuedCommand): Refusal | null => {
    if (isWithdrawn()) return REFUSED.withdrawn;
    const callerGone = request.callerGone === true;
    const late = comesTooLate({ pressedAt, now: time.now(), closePressedAt, callerGone });
    return late ? REFUSED.expired : null;
  };
  /**
   * Refuse a command before it reaches the channel: log and publish its end, and leave the channel's intent
   * as it is.
   */
  const refuse = async ({ request, at, answer }: QueuedCommand, refusal: Refusal): Promise<void> => {
    const asked = entryOfRequest(request, channelKey, at, null);
    const refused = entryInState(asked, "refused", refusal.code, time.now());
    publishStep(refused);
    await durable.put([putCommand(refused, at)]);
    answer.give(refusal);
  };
  /** End a close that waited while a user opened the valve (CMD-17): log and publish it, and send nothing. */
  const supersedeClose = async ({ request, at, answer }: QueuedCommand): Promise<void> => {
    const asked = entryOfRequest(request, channelKey, at, null);
    const replaced = entryInState(asked, "superseded", NEWER_OPENING, time.now());
    publishStep(replaced);
    await durable.put([putCommand(replaced, at)]);
    answer.give({ ok: true, record: recordOf(replaced) });
  };
  const intentOf = (request: CommandRequest, at: number): Intent => {
    const { controllerId, number, form, commandId, by, origin, traceId } = request;
    const runId = newId();
    const command: Command = {
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
    if (request.target !== 1) {
      const close = commandClose(command, intent, shown);
      return request.withdrawal ? { ...close, withdrawal: true } : close;
    }
    const timed = upstream.has("timed-run");
    const runUntilBefore = seen?.report.runUntil ?? null;
    const runSeconds = runSecondsOf(request, channelKey, runs);
    return commandOpen(command, { runSeconds, timed, runUntilBefore, shown }, intent, time.now());
  };
  /**
   * Handle a command in its turn: refuse it, join it to the pending command with the same target (CMD-2), or
   * make its intent the channel's intent. Return true if the intent is new.
   */
  const take = async (queued: QueuedCommand): Promise<boolean> => {
    const { request, at, pressedAt, answer, persist } = queued;
    if (answer.abandoned) return false;
    const target = request.target === 1 ? "open" : "close";
    const late = target === "open" ? lateRefusal(queued) : null;
    if (late) {
      await refuse(queued, late);
      return false;
    }
    if (target === "close" && request.byRelay === undefined) {
      const openedAt = intent?.want === "open" ? intent.at : null;
      if (isOvertakenClose(pressedAt, time.now(), openedAt)) {
        await supersedeClose(queued);
        return false;
      }
      closePressedAt = Math.max(closePressedAt ?? pressedAt, pressedAt);
    }
    if (intent && entry && isPending(intent) && intent.want === target) {
      const pending = entry;
      const same = {
        ...entryOfRequest(request, channelKey, at, pending.until),
        state: pending.state,
        sameAs: pending.commandId,
      };
      await durable.put([putCommand(same, at)]);
      // The account learns of it although its own close is already on its way (CMD-21).
      if (request.administrator) state.event(eventOf(same));
      answer.give({ ok: true, record: recordOf(pending) });
      return false;
    }
    const closers = { timesRuns: upstream.has("timed-run"), ownSession: upstream.ownSession };
    const refusal =
      target === "open"
        ? openRefusal(request, runSecondsOf(request, channelKey, runs), state, closers, runs, at)
        : null;
    if (refusal) {
      await refuse(queued, refusal);
      return false;
    }
    const before = intent;
    const next = intentOf(request, at);
    const nextEntry = entryOfRequest(request, channelKey, at, next.want === "open" ? next.until : null);
    try {
      await persist(stepOf(next, [nextEntry]));
    } catch (error) {
      log.error({ event: "command-not-stored", err: error, channelKey }, "cannot store command");
      if (target === "open") {
        answer.give(REFUSED.storeDown);
        return false;
      }
    }
    if (answer.abandoned) {
      const failed = entryInState(nextEntry, "failed", "store-down", time.now());
      await durable.put(stepOf(before, [failed]));
      return false;
    }
    answer.begun(nextEntry);
    answers.set(nextEntry.commandId, answer);
    token = request.byRelay ? null : request.token;
    await durable.put(stepOf(next, supersede(next, nextEntry)));
    return true;
  };
  /**
   * Withdraw an opening (CMD-12). Return true if the channel's intent is new.
   *
   * - If the channel's intent is this opening, the intent becomes a close.
   * - If the opening never arrived, it is stored as refused.
   * - If it has ended otherwise, it stays as it is.
   */
  const withdraw = async (
    opening: CommandRequest,
    answer: Answer,
    stored: () => Promise<CommandLogEntry | null>,
  ): Promise<boolean> => {
    const now = time.now();
    if (intent?.want === "open" && entry !== null && intent.commandId === opening.commandId) {
      const { form, controllerId, number } = intent;
      const withdrawn = entry;
      const { maxRunSeconds: _, ...pressed } = opening;
      const close: CommandRequest = {
        ...pressed,
        ...{ form, controllerId, number, payload: 2, target: 2 },
        commandId: newId(),
        withdrawal: true,
      };
      const asked = entryOfRequest(close, channelKey, now, null);
      const isNew = await take({
        request: close,
        at: now,
        pressedAt: now,
        answer: createAnswer(time, false, asked, close.answerWithinMs),
        persist: must,
        isWithdrawn: () => false,
      });
      answer.give({ ok: true, record: recordOf(entryInState(withdrawn, "superseded", null, now)) });
      return isNew;
    }
    try {
      const known = await stored();
      if (known === null) {
        const asked = entryOfRequest(opening, channelKey, now, null);
        const refused = entryInState(asked, "refused", REFUSED.withdrawn.code, now);
        await durable.must([putCommand(refused, now)]);
        publishStep(refused);
        answer.give({ ok: true, record: recordOf(refused) });
      } else answer.give({ ok: true, record: recordOf(known) });
    } catch (error) {
      log.error(
        { event: "withdrawal-not-stored", err: error, channelKey },
        "cannot look up or store withdrawn opening",
      );
      answer.give(REFUSED.storeDown);
    }
    return false;
  };

  return {
    get busy() {
      return intent !== null || queue.waiting > 0 || answers.size > 0;
    },
    get entry() {
      return entry;
    },
    command(request, { persist = must, isWithdrawn = () => false } = {}) {
      const now = time.now();
      const pressedAt = Math.min(request.pressedAt ?? now, now);
      const at = request.target === 1 ? pressedAt : now;
      const asked = entryOfRequest(request, channelKey, at, null);
      const answer = createAnswer(time, request.target === 1, asked, request.answerWithinMs);
      commandsWaiting += 1;
      const posted = queue.post(
        async () => {
          commandsWaiting -= 1;
          if (await take({ request, at, pressedAt, answer, persist, isWithdrawn })) await run();
        },
        request.target === 1 ? "ordinary" : "urgent",
      );
      if (!posted) {
        commandsWaiting -= 1;
        answer.give(REFUSED.tooMany);
      }
      return answer.outcome;
    },
    withdraw(opening, stored) {
      const asked = entryOfRequest(opening, channelKey, time.now(), null);
      const answer = createAnswer(time, true, asked, opening.answerWithinMs);
      const posted = post(async () => {
        if (!answer.abandoned && (await withdraw(opening, answer, stored))) await run();
      });
      if (!posted) answer.give(REFUSED.tooMany);
      return answer.outcome;
    },
    report(report) {
      // Patch the end of the run in the same frame as the state. The decision follows in its turn.
      const channel = state.get(channelKey);
      if (channel && isNewer(report, seen, isPossible)) {
        state.patch(channelKey, runShown(intent, report, channel.onoff));
      }
      queue.post(() => noteReport(report));
    },
    gone() {
      isGone = true;
    },
    received(controllerId) {
      if (intent?.want !== "close" || intent.controllerId !== controllerId) return;
      lastSeenAt = time.now();
      evaluate();
    },
    credentialLent() {
      if (intent?.want !== "close" || intent.state === "confirmed") return;
      lastSeenAt = time.now();
      evaluate();
    },
    resume(stored, storedEntry) {
      post(async () => {
        const now = time.now();
        const kept = notAhead(stored, now);
        intent = resumed(kept, now);
        entry = storedEntry ?? entryOfIntent(stored, null);
        if (kept.want === "close" && kept.why === "pressed") closePressedAt = kept.at;
        state.emit("channelDue", channelKey, 0);
        await run();
      });
    },
    shift(ms) {
      post(async () => {
        if (intent) await advance(shifted(intent, ms), null);
        if (lastSeenAt !== null) lastSeenAt += ms;
        if (closePressedAt !== null) closePressedAt += ms;
        if (lingering) lingering = { ...lingering, until: lingering.until + ms };
        // Times reported before the jump cannot be compared with those reported after it.
        if (seen) {
          const { report } = seen;
          const moved = { ...report, at: null, heardAt: null, askedAt: report.askedAt + ms };
          seen = { ...seen, arrivedAt: 0, report: moved };
        }
        await run();
      });
    },
    close() {
      closed = true;
      disarm();
      queue.close();
    },
  };
}

function reasonOf(intent: Intent, ending: CommandState): string {
  if (ending === "unconfirmed") return "no-confirmation";
  return intent.reason ?? "no-confirmation";
}

/** Return the pending command as every screen shows it (CMD-2), or null once it has ended. */
function commandShown(intent: Intent | null): ChannelCommand | null {
  if (intent === null || (!isPending(intent) && intent.state !== "unconfirmed")) return null;
  return commandOf(intent);
}

/** Return a command as screens show it, in any state. */
function commandOf(intent: Intent): ChannelCommand {
  return {
    id: intent.commandId,
    command: "onoff",
    target: intent.want === "open" ? 1 : 2,
    state: intent.state,
    since: instant(intent.at),
    by: intent.by,
  };
}

/**
 * Return when the run ends and what ends it (RUN-2), only for a valve that is reported open. `shown` is the
 * valve's state on the screens, which may be one report ahead of this service.
 */
function runShown(intent: Intent | null, report: ChannelReport | null, shown: unknown): StateValue {
  if (report === null) return {};
  if (report.onoff !== 1 || shown !== 1) return { runUntil: null, endsBy: null };
  if (report.runUntil !== null) return { runUntil: instant(report.runUntil), endsBy: "device" };
  const end = relayEnd(intent);
  return end === null ? { runUntil: null, endsBy: null } : { runUntil: instant(end), endsBy: "relay" };
}

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
import type { DocumentWriter, WriteResult } from "../store/write-behind.ts";
import type { SendResult, ValveUpstream } from "../upstream/outgoing-command.ts";
import { type Answer, createAnswer } from "./answers.ts";
import {
  type CommandLogEntry,
  contentOf,
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
  closesAt,
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
import { type Action, nextAction, type Reported } from "./next-action.ts";
import { createSerialQueue } from "./serial-queue.ts";
import type { StoreTime } from "./store-time.ts";
import { UnansweredCloses } from "./unanswered-closes.ts";
import type { RunLimits, ValveState } from "./valves.ts";
import { noteWatering, type WateringRegistry } from "./waterings/watering-registry.ts";

/** Steps in one pass. A decision that does not settle within them is a fault and is logged as one. */
const ROUNDS = 16;
/** Longest time between two evaluations of a channel, ms, to notice that the clock was set. */
const EVALUATE_MS = 30_000;
/** Delay of a timer, ms, from which the process was stopped. */
const STOPPED_MS = 1_500;
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
 *
 * ```
 *            a press               the API took it           a report shows it (CMD-1)
 *   none ──────────────▶ requested ──────────────▶ accepted ──────────────▶ confirmed
 *    ▲                    │     │                      │                      ▲    │
 *    │ refused, failed    │     └─ 60 s without it ─▶ unconfirmed ── it shows ─┘    │
 *    ├────────────────────┘                            │                           │
 *    │ its run was reported over, or cannot have begun │                           │
 *    ├◀────────────────────────────────────────────────┴───────────────────────────┤ an opening
 *    │ closed, and no earlier opening is in flight (CMD-14)                        │
 *    └◀────────────────────────────────────────────────────────────────────────────┘ a close
 * ```
 *
 * | intent | becomes | by |
 * | --- | --- | --- |
 * | any | another one, `requested` | a newer command: the old one is superseded (CMD-0) |
 * | opening | close of the relay | the end of its run (RUN-2), its withdrawal (CMD-12) |
 * | close, confirmed | close of the relay | an earlier opening that arrived late (CMD-14) |
 * | pending | the same | another command with the same target: it joins (CMD-2) |
 */
export class Channel {
  readonly #channelKey: string;
  readonly #deps: ChannelDeps;
  readonly #newId: () => string;
  readonly #isPossible;
  readonly #queue;
  #timer: Timer | null = null;
  /** When the timer fires, monotonic ms; far away without one. */
  #dueAt = Number.POSITIVE_INFINITY;
  /** Since when this process has been there without a break, monotonic ms. */
  #awakeSince: number;
  #isQueued = false;
  #closed = false;
  /** True once the account's lists have lost the channel. */
  #isGone = false;
  /** The one stored intent (CMD-0), and the log entry of its command. */
  #intent: Intent | null = null;
  #entry: CommandLogEntry | null = null;
  /** Id of the intent's close while the store has not taken it: its sender keeps it, too (CMD-8). */
  #unkept: string | null = null;
  /** The newest report. */
  #seen: Seen | null = null;
  /**
   * Store time at which the controller last reported or another token arrived: a close is sent again (CMD-4).
   */
  #lastSeenAt: number | null = null;
  /**
   * Token of the person who gave the command (CRED-2). Lost at a restart, and dropped once the farm API
   * rejects it.
   */
  #token: string | null = null;
  /**
   * Number of sends of this intent that were rejected or did not leave. A close then uses the other
   * credential.
   */
  #turnedAway = 0;
  /** Store time of the newest close by a person. Commands given before it open nothing (CMD-11). */
  #closePressedAt: number | null = null;
  /** Number of commands that wait for their turn. The commands that they replace are no longer sent. */
  #commandsWaiting = 0;
  /** A command that ended in a refusal or failure and is still shown. */
  #lingering: { command: ChannelCommand; until: number } | null = null;
  readonly #unansweredCloses = new UnansweredCloses();
  /** Callers that wait, by command id. */
  readonly #answers = new Map<string, Answer>();

  constructor(channelKey: string, deps: ChannelDeps, newId: () => string) {
    this.#channelKey = channelKey;
    this.#deps = deps;
    this.#newId = newId;
    const { time, upstream, log } = this.#deps;
    this.#awakeSince = time.monotonic();
    this.#isPossible = createTimeAhead(time.now, () => time.now() + upstream.offsetMs).isPossible;
    this.#queue = createSerialQueue(log);
  }

  get busy(): boolean {
    return this.#intent !== null || this.#queue.waiting > 0 || this.#answers.size > 0;
  }

  get entry(): CommandLogEntry | null {
    return this.#entry;
  }

  command(
    request: CommandRequest,
    { persist = (step) => this.#must(step), isWithdrawn = () => false }: CommandContext = {},
  ): Promise<CommandOutcome> {
    const { time } = this.#deps;
    const now = time.now();
    const pressedAt = Math.min(request.pressedAt ?? now, now);
    const at = request.target === 1 ? pressedAt : now;
    const asked = recordOf(entryOfRequest(request, this.#channelKey, at, null), false);
    const answer = createAnswer(time, request.target === 1, asked, request.answerWithinMs);
    this.#commandsWaiting += 1;
    const posted = this.#queue.post(
      async () => {
        this.#commandsWaiting -= 1;
        if (await this.#take({ request, at, pressedAt, answer, persist, isWithdrawn })) await this.#run();
      },
      request.target === 1 ? "ordinary" : "urgent",
    );
    if (!posted) {
      this.#commandsWaiting -= 1;
      answer.give(REFUSED.tooMany);
    }
    return answer.outcome;
  }

  /**
   * Withdraw an opening (CMD-12).
   * @param stored reads the log entry of the opening, in the channel's turn
   */
  withdraw(opening: CommandRequest, stored: () => Promise<CommandLogEntry | null>): Promise<CommandOutcome> {
    const { time } = this.#deps;
    const asked = recordOf(entryOfRequest(opening, this.#channelKey, time.now(), null));
    const answer = createAnswer(time, true, asked, opening.answerWithinMs);
    const posted = this.#post(async () => {
      if (!answer.abandoned && (await this.#withdraw(opening, answer, stored))) await this.#run();
    });
    if (!posted) answer.give(REFUSED.tooMany);
    return answer.outcome;
  }

  report(report: ChannelReport): void {
    const { state } = this.#deps;
    // Patch the end of the run in the same frame as the state. The decision follows in its turn.
    const channel = state.get(this.#channelKey);
    if (channel && isNewer(report, this.#seen, this.#isPossible)) {
      state.patch(this.#channelKey, runShown(this.#intent, report, channel.onoff));
    }
    this.#queue.post(() => this.#noteReport(report));
  }

  /** Note that the account's lists no longer contain the channel. It may come back. */
  gone(): void {
    this.#isGone = true;
  }

  received(controllerId: string): void {
    if (this.#intent?.want !== "close" || this.#intent.controllerId !== controllerId) return;
    this.#lastSeenAt = this.#deps.time.now();
    this.#evaluate();
  }

  /** Note that another token of the account may be used. */
  credentialLent(): void {
    if (this.#intent?.want !== "close" || this.#intent.state === "confirmed") return;
    // One that the farm API took goes on by itself. The token may have come with an opening, which another API cannot
    // tell from one before the close (CMD-17).
    if (this.#intent.answer === "ok") return;
    this.#lastSeenAt = this.#deps.time.now();
    this.#evaluate();
  }

  /** Continue a stored intent (RUN-3). */
  resume(stored: Intent, storedEntry: CommandLogEntry | null): void {
    this.#post(async () => {
      const now = this.#deps.time.now();
      const kept = notAhead(stored, now);
      this.#intent = resumed(kept, now);
      this.#entry = storedEntry ?? entryOfIntent(stored, null);
      if (kept.want === "close" && kept.why === "pressed") this.#closePressedAt = kept.at;
      this.#deps.state.emit("channelDue", this.#channelKey, 0);
      await this.#run();
    });
  }

  /** Move all times after the wall clock was set by this many ms (RUN-4). */
  shift(ms: number): void {
    this.#post(async () => {
      if (this.#intent) await this.#advance(shifted(this.#intent, ms), null);
      if (this.#lastSeenAt !== null) this.#lastSeenAt += ms;
      if (this.#closePressedAt !== null) this.#closePressedAt += ms;
      if (this.#lingering) this.#lingering = { ...this.#lingering, until: this.#lingering.until + ms };
      // Times reported before the jump cannot be compared with those reported after it.
      if (this.#seen) {
        const { report } = this.#seen;
        const moved = { ...report, at: null, heardAt: null, askedAt: report.askedAt + ms };
        this.#seen = { ...this.#seen, arrivedAt: 0, report: moved };
      }
      await this.#run();
    });
  }

  close(): void {
    this.#closed = true;
    this.#disarm();
    this.#queue.close();
  }

  #post(job: () => Promise<void>): boolean {
    return this.#queue.post(job, "urgent");
  }

  // What every screen shows.
  #publish(): void {
    const { state } = this.#deps;
    const channel = state.get(this.#channelKey);
    if (channel === undefined) return;
    if (this.#lingering && this.#deps.time.now() >= this.#lingering.until) this.#lingering = null;
    const command = commandShown(this.#intent) ?? this.#lingering?.command ?? null;
    state.patch(this.#channelKey, {
      command,
      ...runShown(this.#intent, this.#seen?.report ?? null, channel.onoff),
    });
  }

  /** Send the newest step of a command to every viewer, the log and a waiting caller. */
  #publishStep(moved: CommandLogEntry): void {
    const { commandId, traceId, target, state: reached, reason } = moved;
    this.#deps.log.info(
      {
        event: "command-state-changed",
        commandId,
        traceId,
        channelKey: this.#channelKey,
        target,
        state: reached,
        reason,
      },
      "command changed state",
    );
    this.#deps.state.event(eventOf(moved, this.#isKept(moved)));
    this.#answers.get(commandId)?.moved(recordOf(moved, this.#isKept(moved)));
    if (reached !== "requested") this.#answers.delete(commandId);
  }

  // Steps of the intent and its command: shown, published and stored together.
  #must(step: readonly DocumentChange[]): Promise<void> {
    return this.#deps.durable.must(step);
  }

  /** Store a step now, or as soon as the store is back. What waited is stored with it. */
  async #put(step: readonly DocumentChange[]): Promise<WriteResult> {
    const result = await this.#deps.durable.put(step);
    if (result === "written") this.#unkept = null;
    return result;
  }

  #isKept({ commandId }: CommandLogEntry): boolean {
    return commandId !== this.#unkept;
  }

  #stepOf(stored: Intent | null, commands: readonly CommandLogEntry[]): DocumentChange[] {
    return [
      stored === null ? removed(INTENTS, this.#channelKey) : put(INTENTS, this.#channelKey, stored),
      ...commands.map((entry) => putCommand(entry)),
    ];
  }

  /**
   * Replace the channel's intent. A pending command ends as superseded (CMD-0). Return the entries to persist
   * with the intent.
   */
  #supersede(next: Intent, nextEntry: CommandLogEntry): CommandLogEntry[] {
    const old =
      this.#entry && this.#intent && isPending(this.#intent)
        ? entryInState(this.#entry, "superseded", null, this.#deps.time.now())
        : null;
    this.#intent = next;
    this.#entry = nextEntry;
    this.#turnedAway = 0;
    this.#lingering = null;
    this.#publish();
    if (old) this.#publishStep(old);
    this.#publishStep(nextEntry);
    return old ? [old, nextEntry] : [nextEntry];
  }

  /** Store the next intent, and advance its command where the state differs. */
  async #advance(next: Intent, reason: string | null): Promise<void> {
    const { time } = this.#deps;
    const before = this.#intent?.state;
    this.#intent = next;
    if (next.state === before || this.#entry === null) {
      await this.#put(this.#stepOf(next, []));
      return;
    }
    const moved = entryInState(this.#entry, next.state, reason, time.now());
    this.#entry = moved;
    if (next.state === "refused" || next.state === "failed") {
      this.#lingering = { command: commandOf(next), until: time.now() + LINGER_MS };
    }
    this.#publish();
    this.#publishStep(moved);
    await this.#put(this.#stepOf(next, [moved]));
  }

  async #forget(): Promise<void> {
    this.#intent = null;
    this.#entry = null;
    this.#publish();
    await this.#put(this.#stepOf(null, []));
  }

  /** End the intent of a removed channel, or of one whose valve another opened meanwhile. */
  async #endSuperseded(reason: "channel-gone" | null): Promise<void> {
    if (this.#intent !== null) await this.#advance({ ...this.#intent, state: "superseded" }, reason);
    await this.#forget();
  }

  /** Close the valve by a command of the relay itself. */
  async #closeAfter(why: "run-end" | "late-open"): Promise<void> {
    if (this.#intent === null) return;
    const close = closeByRelay(this.#intent, why, this.#newId(), this.#deps.time.now(), this.#seen?.report);
    const earlier = why === "late-open" ? close.earlierOpens?.press : undefined;
    const closing: CommandLogEntry = {
      ...entryOfIntent(close, why),
      ...(earlier && { lateOpening: { at: earlier.at, by: earlier.by } }),
    };
    await this.#put(this.#stepOf(close, this.#supersede(close, closing)));
  }

  // Commands to the farm API.

  /**
   * Handle the answer to a send.
   * @param bearer the person's token that the command was sent with
   */
  #handleResult(sendNumber: number, commandId: string, bearer?: string): (result: SendResult) => void {
    const { time } = this.#deps;
    return (result: SendResult) => {
      time.noticeJump();
      this.#post(async () => {
        if (this.#intent === null || this.#intent.commandId !== commandId) return;
        const newest = this.#intent.sends === sendNumber && this.#intent.answer === "waiting";
        if (!newest && result.kind !== "accepted") return;
        if (result.kind === "refused" || result.kind === "not-sent") this.#turnedAway += 1;
        if (result.kind === "refused" && result.status === 401 && this.#token === bearer) this.#token = null;
        await this.#advance(answered(this.#intent, result, time.now()), null);
        const unlisted = this.#deps.state.get(this.#channelKey) === undefined;
        if (result.kind === "refused" && unlisted && (this.#isGone || result.status === 404))
          await this.#endSuperseded("channel-gone");
        await this.#run();
      });
    };
  }

  async #sendOpen(send: Extract<Action, { do: "send-open" }>): Promise<void> {
    const { time } = this.#deps;
    if (this.#intent?.want !== "open") return;
    const before = this.#intent;
    const bearer = this.#token;
    if (bearer === null) {
      this.#intent = { ...before, mayResend: false };
      return;
    }
    const leaving = sending(before, before.commandId, time.now());
    this.#intent = leaving;
    try {
      await this.#deps.durable.must(this.#stepOf(leaving, []));
    } catch (error) {
      this.#deps.log.error(
        { event: "opening-not-sent", err: error, channelKey: this.#channelKey },
        "opening not sent: cannot store its end",
      );
      this.#intent = { ...before, mayResend: false, reason: "store-down" };
      return;
    }
    const isWanted = () =>
      this.#intent?.commandId === before.commandId &&
      this.#commandsWaiting === 0 &&
      !this.#closed &&
      time.now() < openWindowEnd(before);
    // The write may have been slow. Never send after a newer command, nor too late.
    const now = time.now();
    if (!isWanted()) {
      this.#intent = answered(leaving, { kind: "not-sent", message: "replaced, or too late" }, now);
      return;
    }
    const remaining = { ...send, remainingSeconds: remainingSeconds(before, now) };
    const opening = outgoingOpen(before, remaining, bearer);
    const outgoing = { ...opening, replaces: this.#unansweredCloses.ids, isWanted };
    dispatch(this.#deps, outgoing, this.#handleResult(leaving.sends, leaving.commandId, bearer));
  }

  /**
   * Return true if this node still decides about the valve (NODE-5): only then may a close overtake a newer
   * opening. The store's answer may be a second old. While the store is away the close is sent anyway, and so
   * is a close that a person gave just now: nothing newer can be known.
   */
  async #claimed(leaving: CloseIntent): Promise<boolean> {
    const { time } = this.#deps;
    const at = time.now();
    let written = await this.#put(this.#stepOf(leaving, []));
    if (written === "written" && time.now() - at > CLAIM_GOOD_MS) {
      written = await this.#put(this.#stepOf(leaving, []));
    }
    if (this.#closed) return false;
    const age = time.now() - leaving.at;
    return written !== "stale" || (leaving.why === "pressed" && age >= 0 && age <= CLAIM_GOOD_MS);
  }

  async #sendClose(): Promise<void> {
    if (this.#intent?.want !== "close") return;
    const sendId = this.#intent.sends === 0 ? this.#intent.commandId : this.#newId();
    const leaving = sending(this.#intent, sendId, this.#deps.time.now());
    this.#intent = leaving;
    if (!(await this.#claimed(leaving))) return;
    const byAdministrator = this.#entry?.administrator !== undefined;
    const outgoing = outgoingClose(leaving, sendId, this.#token, this.#turnedAway, byAdministrator);
    const handle = this.#handleResult(leaving.sends, leaving.commandId, outgoing.token);
    this.#unansweredCloses.sent(sendId);
    dispatch(this.#deps, outgoing, (result) => {
      this.#unansweredCloses.answered(sendId, result);
      handle(result);
    });
  }

  // Decisions by `nextAction`.

  /** Queue a decision, unless one waits already. With a full queue, try again later. */
  #evaluate(): void {
    if (this.#isQueued || this.#closed) return;
    this.#isQueued = true;
    const posted = this.#post(async () => {
      this.#isQueued = false;
      await this.#run();
    });
    if (posted) return;
    this.#isQueued = false;
    this.#arm(this.#deps.time.now() + FULL_MS);
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  /**
   * A timer that is overdue shows that the process was stopped. A process that is always late must not put the close of
   * a run off for ever: once it looks at the valve (RUN-2), no further stop counts.
   */
  #noticeStop(): void {
    const now = this.#deps.time.monotonic();
    if (now <= this.#dueAt + STOPPED_MS) return;
    const intent = this.#intent;
    const isLooking = intent?.want === "open" && (intent.readAt ?? 0) >= closesAt(intent);
    if (!isLooking) this.#awakeSince = now;
  }

  #arm(until: number): void {
    const { time } = this.#deps;
    this.#disarm();
    if (this.#closed) return;
    const next = this.#lingering ? Math.min(until, this.#lingering.until) : until;
    const ms = Math.min(EVALUATE_MS, Math.max(1, next - time.now()));
    this.#dueAt = time.monotonic() + ms;
    this.#timer = time.after(ms, () => {
      this.#noticeStop();
      this.#disarm();
      time.noticeJump();
      this.#evaluate();
    });
  }

  async #act(now: Intent, action: Exclude<Action, { do: "wait" }>): Promise<void> {
    const { state, time } = this.#deps;
    const isRemoved = this.#isGone && state.get(this.#channelKey) === undefined;
    switch (action.do) {
      case "send-open":
        return this.#sendOpen(action);
      case "send-close":
        return this.#sendClose();
      case "read":
        if (watchesForLate(now) && isRemoved) return this.#forget();
        this.#intent = { ...now, readAt: time.now() };
        return state.emit("channelDue", this.#channelKey, 0);
      case "answer-lost":
        return this.#advance(answered(now, { kind: "unknown", message: "no answer" }, time.now()), null);
      case "confirm":
        return this.#advance({ ...now, state: "confirmed" }, now.proof === "api" ? "reported-by-api" : null);
      case "end":
        return isRemoved
          ? this.#endSuperseded("channel-gone")
          : this.#advance(ended(now, action.as), reasonOf(now, action.as));
      case "close-run":
        return this.#closeAfter("run-end");
      case "close-again":
        return this.#closeAfter("late-open");
      case "leave-open":
        return this.#endSuperseded(null);
      case "forget":
        return this.#forget();
    }
  }

  #known(): Reported {
    const { time } = this.#deps;
    const awakeSince = time.now() - (time.monotonic() - this.#awakeSince);
    return { seen: this.#seen, lastSeenAt: this.#lastSeenAt, awakeSince };
  }

  async #run(): Promise<void> {
    const { time } = this.#deps;
    this.#noticeStop();
    for (let round = 0; this.#intent !== null && !this.#closed; round++) {
      const action = nextAction(this.#intent, this.#known(), time.now());
      if (action.do === "wait") {
        this.#arm(action.until);
        break;
      }
      if (round >= ROUNDS) {
        this.#deps.log.error(
          { event: "valve-decision-unsettled", channelKey: this.#channelKey, action: action.do },
          "valve decision does not settle",
        );
        this.#arm(time.now() + FULL_MS);
        break;
      }
      await this.#act(this.#intent, action);
    }
    if (this.#intent === null) {
      this.#disarm();
      if (this.#lingering) this.#arm(this.#lingering.until);
    }
    this.#publish();
  }

  // Reports of the valve.
  async #noteReport(report: ChannelReport): Promise<void> {
    const now = this.#deps.time.now();
    // The read began before the clock was set back, so its order is unknown. Wait for the next read.
    if (report.askedAt > now) return;
    if (report.onoff === 1) this.#deps.waterings.saw(this.#channelKey, Math.min(now, saidAt(report) ?? now));
    if (!isNewer(report, this.#seen, this.#isPossible)) {
      this.#seen = passing(report, this.#seen);
      return;
    }
    // Times of a farm API whose clock was set since the acceptance cannot be compared with it.
    const isSet =
      this.#intent !== null && Math.abs(this.#deps.upstream.offsetMs - this.#intent.offsetMs) > CLOCK_SET_MS;
    if (this.#intent !== null && isSet && this.#intent.acceptedAt !== null)
      this.#intent = { ...this.#intent, timesDoubtful: true };
    const before = this.#intent;
    this.#seen = seeing(report, now, this.#seen);
    if (before) this.#intent = reported(before, report, now);
    noteWatering(this.#channelKey, this.#deps, report, { before, after: this.#intent }, now);
    await this.#run();
  }

  // Commands of people and of the relay.

  /** Return the reason why an opening is no longer carried out (CMD-11), or null if it is in time. */
  #lateRefusal({ request, pressedAt, isWithdrawn }: QueuedCommand): Refusal | null {
    if (isWithdrawn()) return REFUSED.withdrawn;
    const callerGone = request.callerGone === true;
    const late = comesTooLate({
      pressedAt,
      now: this.#deps.time.now(),
      closePressedAt: this.#closePressedAt,
      callerGone,
    });
    return late ? REFUSED.expired : null;
  }

  /**
   * Refuse a command before it reaches the channel: log and publish its end, and leave the channel's intent
   * as it is.
   */
  async #refuse({ request, at, answer }: QueuedCommand, refusal: Refusal): Promise<void> {
    const asked = entryOfRequest(request, this.#channelKey, at, null);
    const refused = entryInState(asked, "refused", refusal.code, this.#deps.time.now());
    this.#publishStep(refused);
    await this.#put([putCommand(refused, at)]);
    answer.give(refusal);
  }

  /** End a close that waited while a user opened the valve (CMD-17): log and publish it, and send nothing. */
  async #supersedeClose({ request, at, answer }: QueuedCommand): Promise<void> {
    const asked = entryOfRequest(request, this.#channelKey, at, null);
    const replaced = entryInState(asked, "superseded", NEWER_OPENING, this.#deps.time.now());
    this.#publishStep(replaced);
    await this.#put([putCommand(replaced, at)]);
    answer.give({ ok: true, record: recordOf(replaced) });
  }

  /** Answer a repeated command that is the intent and was not found in the store: it may be stored now. */
  async #repeated(intent: Intent, entry: CommandLogEntry, { request, answer }: QueuedCommand): Promise<void> {
    if (entry.content !== contentOf(request)) return answer.give(REFUSED.conflict);
    await this.#put(this.#stepOf(intent, [entry]));
    answer.give({ ok: true, record: recordOf(entry, this.#isKept(entry)) });
  }

  #intentOf(request: CommandRequest, at: number): Intent {
    const { controllerId, number, form, commandId, by, origin, traceId } = request;
    const runId = this.#newId();
    const command: Command = {
      channelKey: this.#channelKey,
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
    const shown = this.#seen?.report.onoff ?? null;
    if (request.target !== 1) {
      const close = commandClose(command, this.#intent, shown);
      return request.withdrawal ? { ...close, withdrawal: true } : close;
    }
    const timed = this.#deps.upstream.has("timed-run");
    const runUntilBefore = this.#seen?.report.runUntil ?? null;
    const runSeconds = runSecondsOf(request, this.#channelKey, this.#deps.runs);
    return commandOpen(
      command,
      { runSeconds, timed, runUntilBefore, shown },
      this.#intent,
      this.#deps.time.now(),
    );
  }

  /**
   * Handle a command in its turn: refuse it, join it to the pending command with the same target (CMD-2), or
   * make its intent the channel's intent. Return true if the intent is new.
   */
  async #take(queued: QueuedCommand): Promise<boolean> {
    const { time, state, upstream, runs } = this.#deps;
    const { request, at, pressedAt, answer, persist } = queued;
    if (answer.abandoned) return false;
    const target = request.target === 1 ? "open" : "close";
    const late = target === "open" ? this.#lateRefusal(queued) : null;
    if (late) {
      await this.#refuse(queued, late);
      return false;
    }
    if (target === "close" && request.byRelay === undefined) {
      const openedAt = this.#intent?.want === "open" ? this.#intent.at : null;
      if (isOvertakenClose(pressedAt, time.now(), openedAt)) {
        await this.#supersedeClose(queued);
        return false;
      }
      this.#closePressedAt = Math.max(this.#closePressedAt ?? pressedAt, pressedAt);
    }
    if (this.#intent && this.#entry?.commandId === request.commandId) {
      await this.#repeated(this.#intent, this.#entry, queued);
      return false;
    }
    if (this.#intent && this.#entry && isPending(this.#intent) && this.#intent.want === target) {
      const pending = this.#entry;
      const same = {
        ...entryOfRequest(request, this.#channelKey, at, pending.until),
        state: pending.state,
        sameAs: pending.commandId,
      };
      await this.#put([putCommand(same, at)]);
      // The account learns of it although its own close is already on its way (CMD-21).
      if (request.administrator) state.event(eventOf(same));
      answer.give({ ok: true, record: recordOf(pending, this.#isKept(pending)) });
      return false;
    }
    const closers = { timesRuns: upstream.has("timed-run"), ownSession: upstream.ownSession };
    const refusal =
      target === "open"
        ? openRefusal(request, runSecondsOf(request, this.#channelKey, runs), state, closers, runs, at)
        : null;
    if (refusal) {
      await this.#refuse(queued, refusal);
      return false;
    }
    const before = this.#intent;
    const next = this.#intentOf(request, at);
    let isStored = true;
    const nextEntry = entryOfRequest(request, this.#channelKey, at, next.want === "open" ? next.until : null);
    try {
      await persist(this.#stepOf(next, [nextEntry]));
    } catch (error) {
      this.#deps.log.error(
        { event: "command-not-stored", err: error, channelKey: this.#channelKey },
        "cannot store command",
      );
      if (target === "open") {
        answer.give(REFUSED.storeDown);
        return false;
      }
      isStored = false;
    }
    if (answer.abandoned) {
      const failed = entryInState(nextEntry, "failed", "store-down", time.now());
      await this.#put(this.#stepOf(before, [failed]));
      return false;
    }
    this.#unkept = isStored ? null : nextEntry.commandId;
    answer.begun(recordOf(nextEntry, isStored));
    this.#answers.set(nextEntry.commandId, answer);
    this.#token = request.byRelay ? null : request.token;
    await this.#put(this.#stepOf(next, this.#supersede(next, nextEntry)));
    return true;
  }

  /**
   * Withdraw an opening (CMD-12). Return true if the channel's intent is new.
   *
   * - If the channel's intent is this opening, the intent becomes a close.
   * - If the opening never arrived, it is stored as refused.
   * - If it has ended otherwise, it stays as it is.
   */
  async #withdraw(
    opening: CommandRequest,
    answer: Answer,
    stored: () => Promise<CommandLogEntry | null>,
  ): Promise<boolean> {
    const { time } = this.#deps;
    const now = time.now();
    // The answer would be read as the end of the opening, which the store still holds.
    if (this.#unkept !== null && (await this.#put([])) !== "written") {
      answer.give(REFUSED.storeDown);
      return false;
    }
    if (
      this.#intent?.want === "open" &&
      this.#entry !== null &&
      this.#intent.commandId === opening.commandId
    ) {
      const { form, controllerId, number } = this.#intent;
      const withdrawn = this.#entry;
      const { maxRunSeconds: _, ...pressed } = opening;
      const close: CommandRequest = {
        ...pressed,
        ...{ form, controllerId, number, payload: 2, target: 2 },
        commandId: this.#newId(),
        withdrawal: true,
      };
      const asked = recordOf(entryOfRequest(close, this.#channelKey, now, null), false);
      const isNew = await this.#take({
        request: close,
        at: now,
        pressedAt: now,
        answer: createAnswer(time, false, asked, close.answerWithinMs),
        persist: (step) => this.#must(step),
        isWithdrawn: () => false,
      });
      answer.give(
        this.#unkept === null
          ? { ok: true, record: recordOf(entryInState(withdrawn, "superseded", null, now)) }
          : REFUSED.storeDown,
      );
      return isNew;
    }
    try {
      const known = await stored();
      if (known === null) {
        const asked = entryOfRequest(opening, this.#channelKey, now, null);
        const refused = entryInState(asked, "refused", REFUSED.withdrawn.code, now);
        await this.#deps.durable.must([putCommand(refused, now)]);
        this.#publishStep(refused);
        answer.give({ ok: true, record: recordOf(refused) });
      } else answer.give({ ok: true, record: recordOf(known) });
    } catch (error) {
      this.#deps.log.error(
        { event: "withdrawal-not-stored", err: error, channelKey: this.#channelKey },
        "cannot look up or store withdrawn opening",
      );
      answer.give(REFUSED.storeDown);
    }
    return false;
  }
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

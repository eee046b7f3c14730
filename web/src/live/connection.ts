import type { ClientMessage, StreamName, Subscribe } from "@mulkko/shared/live/client-messages";
import { CLOSE, mayReconnect } from "@mulkko/shared/live/close-codes";
import { LIVE_LIMITS, PROTOCOL } from "@mulkko/shared/live/limits";
import {
  type Bye,
  type Change,
  type ErrorMessage,
  type Resumed,
  ServerMessage,
  type Snapshot,
  type Welcome,
} from "@mulkko/shared/live/server-messages";
import type { Clock, Random, Timer, Timers } from "@mulkko/shared/rules/clock";
import { tokenExpiry } from "@mulkko/shared/rules/token-expiry";
import { parse } from "@mulkko/shared/schema/parse";
import type { Static } from "typebox";
import type { Ingest, OwnStream } from "./ingest.ts";
import { isWithheld, type LinkStore, RECONNECT_GRACE_MS, screenLink, type Withheld } from "./link.ts";
import { CLOCK_OFF_MS, type ServerClock } from "./server-clock.ts";
import type { StateStream, StreamPosition } from "./state-stream.ts";
import type { Transport, TransportConnection } from "./transport.ts";

/**
 * Timeout for connecting and the welcome, ms; the relay may have to validate the token at a slow farm API.
 */
export const CONNECT_TIMEOUT_MS = 20_000;

/** Lead time of a token renewal, s (AUTH-1); at most half of the token's life. */
export const RENEW_BEFORE_S = 60;

/** Delay before a token renewal without an answer is repeated, s: the relay waits 25 s (AUTH-2). */
const RENEW_AGAIN_S = 20;

/** Silence that counts as a missed heartbeat, ms: a beat and some delay. */
export const DOUBT_AFTER_MS = LIVE_LIMITS.beatMs + 5_000;

/** Minimum interval between questions on a doubtful connection, ms, for any number of signs (HS-5). */
const ASK_GAP_MS = 1_000;

/** Time without an answer to an `ask` after which the page is not live, ms (LIVE-1). */
export const ANSWER_WITHIN_MS = 3_500;

/** The same while a command waits, ms, and the interval of its questions. */
export const HURRIED_WITHIN_MS = 2_000;
const HURRIED_EVERY_MS = 1_000;

/**
 * Time without a sign that this page runs after which it has slept, ms: what it draws, and what its machine received
 * meanwhile, may be as old (LIVE-1). A page that runs gives one every second.
 */
const SLEPT_MS = 5_000;

/** Time without an answer, while other messages arrive, after which the client connects again, ms. */
const ONE_WAY_MS = 20_000;

/** A waking tab keeps an attempt younger than this, ms. */
const YOUNG_ATTEMPT_MS = 2_000;

/** Delay before an unavailable stream is requested again, ms. */
export const ASK_AGAIN_MS = 10_000;

const STREAMS: readonly OwnStream[] = ["devices", "events"];

/**
 * Codes after which the client checks the session once: if it is over, the user leaves the page (AUTH-4). A
 * changed display fetches its settings in the same way.
 */
const ASKED_ONCE: ReadonlySet<number> = new Set([
  CLOSE.token,
  CLOSE.revoked,
  CLOSE.accountDisabled,
  CLOSE.displayChanged,
]);

/** Source of access tokens. Both calls reject without an answer. */
export interface LiveTokens {
  /** Return the token for hello; null if the user is signed out. */
  current(): Promise<string | null>;
  /** Return a newer token than `used`; null if the session is over. */
  renew(used: string): Promise<string | null>;
  /** Call back with every new token, also one requested elsewhere. */
  onToken(listener: (token: string) => void): () => void;
}

/** Why the relay refuses a stream. */
export type StreamRefusal = Pick<Static<typeof ErrorMessage>, "code" | "temporary">;

/** A stream that a page needs for a while beside the account's own, on the same connection. */
export interface ExtraSubscription extends StateStream {
  readonly name: Exclude<StreamName, OwnStream>;
  /** The only keys that are needed (SUB-7); without `track`: all. */
  readonly keys: Pick<Subscribe, "track">;
  /** Handle a refusal; a temporary one is retried automatically. */
  refused(refusal: StreamRefusal): void;
}

/** Side effects of a connection, replaceable in tests. */
export interface ConnectionEdges {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** Return true while the page is visible. */
  readonly isVisible: () => boolean;
}

export interface ConnectionDeps {
  readonly tokens: LiveTokens;
  readonly ingest: Ingest;
  readonly link: LinkStore;
  readonly serverClock: ServerClock;
  /** Account viewed in place of the own one (HS-2). */
  readonly as?: string | undefined;
}

/** The page's single connection: reconnects forever and resumes at its positions (LIVE-2, SUB-3). */
export interface Connection {
  /** @returns a function that stops */
  start(): () => void;
  /** Continue after the tab was hidden or the machine slept, without further waiting. */
  wake(): void;
  /** Connect at once: the network returned or changed. */
  online(): void;
  /** Report a sign that the relay may be unreachable: ask it, and leave live unless it answers (LIVE-1). */
  doubt(): void;
  /**
   * Ask the relay at once, and every second from then on: a command waits for its answer (LIVE-1).
   * @returns a function that ends it
   */
  hurry(): () => void;
  /** Check the clocks and update the link store; called about once a second. */
  update(): void;
  /** Return the time since the line was last proven to pass, ms; null before the first message. */
  silence(): number | null;
  /**
   * Subscribe to one more stream, now and on every later connection. @returns a function that unsubscribes
   */
  join(extra: ExtraSubscription): () => void;
}

/** One attempt to connect, and the connection that it becomes. */
interface Attempt {
  readonly since: number;
  socket: TransportConnection | null;
  token: string;
  /** True after a sign of loss that was not asked about yet. */
  suspected: boolean;
  /** `asked`: only an answer ends the doubt; before the page is live any message does. */
  doubt: { readonly since: number; readonly asked: boolean } | null;
  /** The oldest `ask` without an answer; null while all are answered. */
  open: { readonly n: number; readonly since: number } | null;
  /** Number of the newest `ask`. */
  asks: number;
  /** The `ask` whose answer proves what the page draws after it slept since then; null without a sleep. */
  slept: { readonly n: number; readonly since: number } | null;
  /** Interval of `ask`, ms; undefined for a relay that does not know it. */
  askEveryMs: number | undefined;
  /** Time of the last question, ms on the monotonic clock. */
  askedAt: number;
  /** Interval of activity reports, ms; undefined for a relay that does not ask (POLL-1). */
  activeEveryMs: number | undefined;
  /** Time of the last report, ms on the monotonic clock; the connection itself is the first. */
  activeAt: number;
}

/** A point of time on both clocks, ms. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

type State =
  /** Not started, or stopped. */
  | { readonly at: "idle" }
  /** The transport is opening, or the relay validates the token. */
  | { readonly at: "connecting"; readonly attempt: Attempt }
  | { readonly at: "welcomed"; readonly attempt: Attempt }
  /** Between two attempts: for a delay, or for the answer to a check of the session. */
  | { readonly at: "waiting" }
  /** Connecting again would be useless; only a new start does so. */
  | { readonly at: "ended"; readonly code: number };

const attemptOf = (state: State): Attempt | null => ("attempt" in state ? state.attempt : null);

/** Purposes of timers: `opening` of connecting, `retry` of waiting, the others of welcomed. */
type Purpose = "opening" | "retry" | "renewal" | "resubscribe" | "ask" | "answer";

/** Pending timers of the current state, by purpose. */
function createStateTimers(timers: Timers) {
  const pending = new Map<Purpose, Timer>();
  return {
    /** Set a timer in place of the pending one of the same purpose. */
    set(purpose: Purpose, ms: number, run: () => void): void {
      pending.get(purpose)?.cancel();
      pending.set(purpose, timers.after(ms, run));
    },
    /** Cancel all timers: the state is left. */
    cancel(): void {
      for (const timer of pending.values()) timer.cancel();
      pending.clear();
    },
  };
}

export function createConnection(deps: ConnectionDeps, edges: ConnectionEdges): Connection {
  const { tokens, ingest, link, serverClock } = deps;
  const { transport, clock, random, isVisible } = edges;
  const stateTimers = createStateTimers(edges.timers);
  const extras = new Map<ExtraSubscription["name"], ExtraSubscription>();
  const readClocks = (): Moment => ({ monotonic: clock.monotonic(), wall: clock.now() });
  let state: State = { at: "idle" };
  // These outlive a connection.
  let failures = 0;
  let startedAt = readClocks();
  let lastMessageAt: Moment | null = null;
  /** The last sign that this page runs. */
  let ranAt = startedAt;
  /** Time at which the last connection was lost or first in doubt, ms; null while welcomed. */
  let lostAt: number | null = null;
  let everSynced = false;
  let withheld: Withheld | null = null;
  /** Number of commands that wait for their answers. */
  let commandsWaiting = 0;

  const isCurrent = (attempt: Attempt) => attemptOf(state) === attempt;
  const isActive = () => state.at !== "idle" && state.at !== "ended";
  const isSynced = () => STREAMS.every((stream) => ingest.positions[stream].synced());
  const silence = () => clock.monotonic() - (lastMessageAt ?? startedAt).monotonic;

  /** Change the state; its timers end with it, and so does its attempt unless the next state continues it. */
  const enter = (next: State) => {
    stateTimers.cancel();
    const left = attemptOf(state);
    if (left && left !== attemptOf(next)) {
      if (state.at === "welcomed" || left.doubt)
        lostAt ??= left.slept?.since ?? left.doubt?.since ?? left.open?.since ?? clock.monotonic();
      left.socket?.close();
      for (const stream of STREAMS) ingest.positions[stream].disconnected();
      for (const extra of extras.values()) extra.position.disconnected();
    }
    state = next;
  };
  /** @param afterMs default: by the backoff of LIVE-2 */
  const reconnect = (afterMs?: number) => {
    enter({ at: "waiting" });
    stateTimers.set("retry", afterMs ?? reconnectDelay(failures, random), connect);
    failures += 1;
    update();
  };
  const end = (code: number) => {
    enter({ at: "ended", code });
    update();
  };

  const connect = () => {
    const now = clock.monotonic();
    const attempt: Attempt = {
      since: now,
      socket: null,
      token: "",
      suspected: false,
      doubt: null,
      open: null,
      asks: 0,
      slept: null,
      askEveryMs: undefined,
      askedAt: Number.NEGATIVE_INFINITY,
      activeEveryMs: undefined,
      activeAt: now,
    };
    const failed = () => {
      if (isCurrent(attempt)) reconnect();
    };
    enter({ at: "connecting", attempt });
    stateTimers.set("opening", CONNECT_TIMEOUT_MS, failed);
    void tokens.current().then((token) => {
      if (!isCurrent(attempt)) return;
      if (token === null) return end(CLOSE.token);
      attempt.token = token;
      attempt.socket = transport.open({
        opened: () => attempt.socket?.send({ t: "hello", protocol: PROTOCOL, token: attempt.token }),
        message: (raw) => receive(attempt, raw),
        closed: failed,
      });
    }, failed);
  };

  const send = (message: ClientMessage) => attemptOf(state)?.socket?.send(message);
  const request = (stream: StreamName, position: StreamPosition, more: Pick<Subscribe, "as" | "track">) => {
    const known = position.current();
    position.requested();
    send({ t: "subscribe", stream, ...(known && { position: known }), ...more });
  };
  const own = deps.as === undefined ? {} : { as: deps.as };
  const subscribe = (stream: OwnStream) => request(stream, ingest.positions[stream], own);
  const subscribeExtra = (extra: ExtraSubscription) => {
    const isJoined = extras.get(extra.name) === extra;
    if (state.at === "welcomed" && isJoined) request(extra.name, extra.position, extra.keys);
  };

  /**
   * Begin a doubt if there is a sign of loss: request the stream position, because the answer comes over the
   * same connection, or not at all.
   */
  const question = (attempt: Attempt) => {
    if (attempt.doubt) return;
    const now = clock.monotonic();
    if (state.at === "welcomed" && silence() >= DOUBT_AFTER_MS) attempt.suspected = true;
    if (!attempt.suspected || now - attempt.askedAt < ASK_GAP_MS) return;
    const asked = isSynced();
    attempt.suspected = false;
    attempt.askedAt = now;
    attempt.doubt = { since: now, asked };
    if (asked) subscribe("events");
  };
  const answerWithin = () => (commandsWaiting > 0 ? HURRIED_WITHIN_MS : ANSWER_WITHIN_MS);
  /** Ask for proof that both directions pass. A hidden page asks nothing: it has no viewer. */
  const ask = (attempt: Attempt) => {
    const { askEveryMs } = attempt;
    if (state.at !== "welcomed" || askEveryMs === undefined) return;
    const every = commandsWaiting > 0 ? HURRIED_EVERY_MS : askEveryMs;
    stateTimers.set("ask", every, () => ask(attempt));
    if (!isVisible() || !isSynced()) return;
    attempt.asks += 1;
    attempt.open ??= { n: attempt.asks, since: clock.monotonic() };
    send({ t: "ask", n: attempt.asks });
    const left = attempt.open.since + answerWithin() - clock.monotonic();
    if (left > 0) stateTimers.set("answer", left, update);
  };
  /** Handle the answer to an `ask`; one to a later `ask` answers the earlier ones. */
  const answered = (attempt: Attempt, n: number) => {
    if (attempt.slept && n >= attempt.slept.n) attempt.slept = null;
    if (attempt.open && n >= attempt.open.n) attempt.open = null;
  };
  /**
   * Notice that the page, or its machine, has slept. The monotonic clock of some machines stops then; a step of the
   * wall clock looks the same, and costs one question.
   */
  const noticeSleep = () => {
    const [before, now] = [ranAt, readClocks()];
    ranAt = now;
    const sleptMs = Math.max(now.monotonic - before.monotonic, now.wall - before.wall);
    if (sleptMs < SLEPT_MS || !isActive()) return;
    const since = now.monotonic - sleptMs;
    const attempt = attemptOf(state);
    if (state.at !== "welcomed" || !attempt) {
      if (lostAt !== null) lostAt = Math.min(lostAt, since);
      return;
    }
    // Before the sleep it may have asked, and what was answered may have arrived during it.
    attempt.open = null;
    attempt.slept = { n: attempt.asks + 1, since: attempt.slept?.since ?? since };
    ask(attempt);
  };
  /** Return the time for which the oldest overdue `ask` has had no answer, ms; 0 without one. */
  const overdue = (attempt: Attempt | null): number => {
    if (!attempt?.open || !isVisible()) return 0;
    const waited = clock.monotonic() - attempt.open.since;
    return waited >= answerWithin() ? waited : 0;
  };
  /** Return the time of the sleep after which nothing was proven, ms on the monotonic clock; null without one. */
  const asleepSince = (attempt: Attempt | null): number | null =>
    attempt?.slept && attempt.askEveryMs !== undefined && isVisible() ? attempt.slept.since : null;
  /** Return the time since the line was last proven to pass in both directions, as far as that is known. */
  const sinceProof = (): number => {
    const attempt = attemptOf(state);
    const doubted = lostAt ?? asleepSince(attempt) ?? attempt?.doubt?.since ?? null;
    const inDoubt = doubted === null ? 0 : clock.monotonic() - doubted;
    return Math.max(silence(), inDoubt, overdue(attempt));
  };
  /** Report that the user views the page (POLL-1); a hidden page's farm is polled at the slow rate. */
  const reportActivity = (attempt: Attempt) => {
    const now = clock.monotonic();
    const { activeEveryMs, activeAt } = attempt;
    if (activeEveryMs === undefined || now - activeAt < activeEveryMs || !isVisible()) return;
    attempt.activeAt = now;
    send({ t: "active" });
  };
  const update = () => {
    noticeSleep();
    const attempt = attemptOf(state);
    if (attempt) question(attempt);
    const isWelcomed = state.at === "welcomed";
    // Evaluate after the first frame of the farm: before it, "none" would only mean "not rendered yet".
    // What was drawn before a connection was lost is not live until the store holds what it missed (LIVE-1).
    const isDrawn = link.getState().screen.state === "live" || !ingest.isBehind();
    const synced = isWelcomed && ingest.shown() && isSynced() && isDrawn;
    everSynced ||= synced;
    if (silence() >= LIVE_LIMITS.notLiveMs) withheld = null;
    const screen = screenLink({
      now: clock.monotonic(),
      synced,
      everSynced,
      silentSince: (lastMessageAt ?? startedAt).monotonic,
      lostAt: lostAt ?? attempt?.doubt?.since ?? null,
      endedBy: state.at === "ended" ? state.code : null,
      withheld: withheld !== null,
      unanswered: overdue(attempt) > 0 || asleepSince(attempt) !== null,
      wasNotLive: everSynced && link.getState().screen.state === "notLive",
    });
    const off = serverClock.localOffset();
    const clockOff = Math.abs(off) > CLOCK_OFF_MS ? Math.round(off / 1000) * 1000 : null;
    const before = link.getState();
    const changed =
      screen.state !== before.screen.state ||
      clockOff !== before.clockOff ||
      everSynced !== before.everSynced ||
      withheld !== before.withheld;
    const silentSince =
      screen.state === "live" || lastMessageAt === null ? null : serverClock.now() - sinceProof();
    if (changed) link.setState({ screen, clockOff, everSynced, withheld, silentSince });
    if (!attempt) return;
    if (isWelcomed) reportActivity(attempt);
    const unanswered = attempt.doubt ? Math.min(clock.monotonic() - attempt.doubt.since, silence()) : 0;
    const isSilent = isWelcomed && silence() >= LIVE_LIMITS.notLiveMs;
    const isOneWay = overdue(attempt) >= ONE_WAY_MS;
    const isHeld = Math.min(overdue(attempt), silence()) >= RECONNECT_GRACE_MS;
    if (unanswered >= RECONNECT_GRACE_MS || isSilent || isHeld || isOneWay) reconnect(0);
  };
  const doubt = () => {
    if (!isActive()) return;
    const attempt = attemptOf(state);
    if (attempt) attempt.suspected = true;
    else lostAt ??= clock.monotonic();
    update();
  };

  const scheduleRenewal = (attempt: Attempt, seconds: number) => {
    const wait = Math.max(1, seconds - Math.min(RENEW_BEFORE_S, seconds / 2));
    stateTimers.set("renewal", wait * 1000, () => void renew(attempt));
  };
  /** Request a fresh token for the same connection (AUTH-1). The new one arrives by `onToken`. */
  const renew = async (attempt: Attempt) => {
    const { token } = attempt;
    try {
      if ((await tokens.renew(token)) === null && isActive()) end(CLOSE.token);
    } catch {
      if (isCurrent(attempt) && attempt.token === token) scheduleRenewal(attempt, RENEW_AGAIN_S);
    }
  };
  const adoptToken = (token: string) => {
    if (state.at !== "welcomed" || state.attempt.token === token) return;
    state.attempt.token = token;
    send({ t: "auth", token });
    const now = serverClock.now();
    scheduleRenewal(state.attempt, Math.max(0, tokenExpiry(token, now) - now) / 1000);
  };

  const welcome = (attempt: Attempt, message: Welcome) => {
    const isFirst = state.at === "connecting";
    if (isFirst) enter({ at: "welcomed", attempt });
    serverClock.sample(message.serverTime, true);
    scheduleRenewal(attempt, message.ttl);
    link.setState({ servedBuild: message.build, apiTimezone: message.apiTimezone });
    if (!isFirst) return;
    // A page that has values stays as it is until it has those that it missed.
    if (!everSynced) lostAt = null;
    attempt.activeEveryMs = message.activeEveryMs;
    attempt.activeAt = clock.monotonic();
    attempt.askEveryMs = message.askEveryMs;
    ask(attempt);
    for (const stream of STREAMS) subscribe(stream);
    for (const extra of extras.values()) subscribeExtra(extra);
  };
  /** Another account's streams are unavailable (HS-2): report it to the page and retry. */
  const otherRefused = (code: string) => {
    link.setState({ refused: code });
    stateTimers.set("resubscribe", ASK_AGAIN_MS, () => {
      for (const stream of STREAMS) if (!ingest.positions[stream].synced()) subscribe(stream);
    });
  };
  /** The own streams are always granted: a refusal concerns an extra subscription or another account. */
  const refused = ({ code, temporary }: StreamRefusal) => {
    if (deps.as !== undefined) return otherRefused(code);
    const waiting = [...extras.values()].filter(({ position }) => !temporary || !position.synced());
    for (const extra of waiting) extra.refused({ code, temporary });
    if (!temporary || waiting.length === 0) return;
    stateTimers.set("resubscribe", ASK_AGAIN_MS, () => {
      for (const extra of waiting) subscribeExtra(extra);
    });
  };
  const bye = async ({ code, retryAfterMs }: Bye, token: string) => {
    const isOver = !mayReconnect(code);
    if (!ASKED_ONCE.has(code)) {
      if (isOver) end(code);
      else reconnect(retryAfterMs > 0 ? retryAfterMs : undefined);
      return;
    }
    const checking: State = { at: "waiting" };
    enter(checking);
    try {
      const fresh = await tokens.renew(token);
      if (state !== checking) return;
      if (fresh === null) end(isOver ? code : CLOSE.token);
      else reconnect(isOver ? undefined : retryAfterMs);
    } catch {
      if (state === checking) reconnect();
    }
  };

  const noteSignOfLife = (heardAt: string): void => {
    const { relay } = link.getState();
    if (relay !== null) link.setState({ relay: { ...relay, heardAt } });
  };
  const applyExtra = (message: Snapshot | Change | Resumed) => {
    const extra = extras.get("fleet");
    if (extra?.apply(message) === "resubscribe") subscribeExtra(extra);
  };
  const receive = (attempt: Attempt, raw: unknown) => {
    if (!isCurrent(attempt)) return;
    noticeSleep();
    lastMessageAt = readClocks();
    const parsed = parse(ServerMessage, raw);
    if (!parsed.ok) return;
    const message = parsed.value;
    switch (message.t) {
      case "welcome":
        welcome(attempt, message);
        break;
      case "beat":
        serverClock.sample(message.serverTime, false);
        if (message.heardAt !== undefined) noteSignOfLife(message.heardAt);
        if (message.n !== undefined) answered(attempt, message.n);
        break;
      case "link":
        link.setState({ relay: message });
        break;
      case "error":
        // Other causes (a refused token) follow as `bye`, which does not distinguish the store from an
        // unreachable API.
        if (message.ref === "subscribe") refused(message);
        else if (message.ref === undefined && isWithheld(message.code)) withheld = message.code;
        break;
      case "bye":
        void bye(message, attempt.token);
        return;
      case "snapshot":
      case "change":
      case "event":
      case "resumed":
        if (message.stream === "fleet") applyExtra(message);
        else if (ingest.apply(message) === "resubscribe") subscribe(message.stream);
        if (isSynced()) {
          failures = 0;
          withheld = null;
          lostAt = null;
          if (link.getState().refused !== null) link.setState({ refused: null });
        }
        break;
    }
    if (isSynced() || attempt.doubt?.asked === false) attempt.doubt = null;
    update();
  };

  return {
    start() {
      if (!isActive()) {
        failures = 0;
        startedAt = readClocks();
        ranAt = startedAt;
        connect();
      }
      const forgetTokens = tokens.onToken(adoptToken);
      // In a separate task: rendering the first farm data takes long enough.
      const forgetShown = ingest.onShown(() => edges.timers.after(0, update));
      const forgetFlushed = ingest.onFlushed(() => {
        if (link.getState().screen.state !== "live") update();
      });
      return () => {
        forgetTokens();
        forgetShown();
        forgetFlushed();
        enter({ at: "idle" });
      };
    },
    wake() {
      noticeSleep();
      switch (state.at) {
        case "waiting":
          failures = 0;
          return connect();
        case "connecting":
          if (clock.monotonic() - state.attempt.since > YOUNG_ATTEMPT_MS) reconnect(0);
          return;
        case "welcomed": {
          // After sleep the socket may be dead and the monotonic clock may have stopped.
          const slept = Math.max(silence(), clock.now() - (lastMessageAt ?? startedAt).wall);
          if (slept > DOUBT_AFTER_MS) return reconnect(0);
          // The page asked nothing while it was hidden, and may have slept before an answer.
          state.attempt.open = null;
          ask(state.attempt);
          update();
        }
      }
    },
    online() {
      if (!isActive()) return;
      failures = 0;
      // Attempts without a network say nothing about the new one.
      if (state.at === "welcomed") doubt();
      else reconnect(0);
    },
    doubt,
    hurry() {
      commandsWaiting += 1;
      const attempt = attemptOf(state);
      if (attempt) ask(attempt);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        commandsWaiting -= 1;
      };
    },
    update,
    silence: () => (lastMessageAt === null ? null : sinceProof()),
    join(extra) {
      extras.set(extra.name, extra);
      subscribeExtra(extra);
      return () => {
        if (extras.get(extra.name) !== extra) return;
        extras.delete(extra.name);
        extra.position.disconnected();
        if (state.at === "welcomed") send({ t: "unsubscribe", stream: extra.name });
      };
    },
  };
}

/**
 * Return the delay before attempt `attempt` (0 is the first repeat), ms. It is random below a ceiling that
 * doubles from 1 s to 30 s (LIVE-2, full jitter), so that a thousand screens do not reconnect in step.
 */
export function reconnectDelay(attempt: number, random: Random): number {
  const ceiling = Math.min(LIVE_LIMITS.backoffMaxMs, LIVE_LIMITS.backoffMinMs * 2 ** Math.min(attempt, 16));
  return Math.round(random() * ceiling);
}

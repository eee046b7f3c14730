// One long file: a single state machine covers how a connection begins, is renewed, refused and ends.
import type { ClientMessage, StreamName } from "@mulkko/shared/live/client-messages";
import { CLOSE, mayReconnect } from "@mulkko/shared/live/close-codes";
import { LIVE_LIMITS, PROTOCOL } from "@mulkko/shared/live/limits";
import {
  type Bye,
  type Change,
  type Resumed,
  ServerMessage,
  type Snapshot,
  type Welcome,
} from "@mulkko/shared/live/server-messages";
import type { Clock, Random, Timer, Timers } from "@mulkko/shared/rules/clock";
import { tokenExpiry } from "@mulkko/shared/rules/token-expiry";
import { parse } from "@mulkko/shared/schema/parse";
import { createActivityPing } from "./activity-ping.ts";
import { reconnectDelay } from "./backoff.ts";
import { ASK_AGAIN_MS, type ExtraSubscription, type StreamRefusal } from "./extra-subscription.ts";
import type { Ingest, OwnStream } from "./ingest.ts";
import { type LinkStore, RECONNECT_GRACE_MS, screenLink, type Withheld } from "./link.ts";
import { CLOCK_OFF_MS, type ServerClock } from "./server-clock.ts";
import type { StreamPosition } from "./stream-position.ts";
import type { Transport, TransportConnection } from "./transport.ts";

/**
 * Timeout for connecting and the welcome, ms; the relay may have to validate the token at a slow farm API.
 */
export const CONNECT_TIMEOUT_MS = 20_000;

/** Lead time of a token renewal, s (AUTH-1); at most half of the token's life. */
export const RENEW_BEFORE_S = 60;

/** Silence that counts as a missed heartbeat, ms: a beat and some delay. */
export const DOUBT_AFTER_MS = LIVE_LIMITS.beatMs + 5_000;

/** Minimum interval between questions on a doubtful connection, ms, for any number of signs (HS-5). */
const ASK_GAP_MS = 1_000;

/** A waking tab keeps an attempt younger than this, ms. */
const YOUNG_ATTEMPT_MS = 2_000;

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

export interface ConnectionDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly tokens: LiveTokens;
  readonly ingest: Ingest;
  readonly link: LinkStore;
  /** Return true while the page is visible. */
  readonly isLookedAt: () => boolean;
  /** Account viewed in place of the own one (HS-2). */
  readonly as?: string | undefined;
}

/** The page's single connection: reconnects forever and resumes at its positions (LIVE-2, SUB-3). */
export interface Connection {
  start(): void;
  stop(): void;
  /** Continue after the tab was hidden or the machine slept, without further waiting. */
  wake(): void;
  /** Connect at once: the network returned or changed. */
  online(): void;
  /** Report a sign that the relay may be unreachable: ask it, and leave live unless it answers (LIVE-1). */
  doubt(): void;
  /** Check the clocks and update the link store; called about once a second. */
  look(): void;
  /** Return the time since the last message, ms; null before the first one. */
  silence(): number | null;
  /**
   * Subscribe to one more stream, now and on every later connection. @returns a function that unsubscribes
   */
  join(extra: ExtraSubscription): () => void;
}

/** One connection attempt and its state. `welcomed` is false until the relay has accepted the token. */
interface Attempt {
  readonly since: number;
  socket: TransportConnection | null;
  token: string;
  welcomed: boolean;
  timeout: Timer;
}

export function createConnection(deps: ConnectionDeps): Connection {
  const { clock, serverClock, timers, tokens, ingest, link } = deps;
  const activityPing = createActivityPing(clock, deps.isLookedAt);
  let running = false;
  let attempt: Attempt | null = null;
  let failures = 0;
  let startedAt = clock.monotonic();
  let heardAt: number | null = null;
  let heardWall = clock.now();
  let lostAt: number | null = null;
  /** True after a sign of loss that was not asked about yet. */
  let suspected = false;
  /** `asked`: only an answer ends the doubt; before the page is live any message does. */
  let inDoubt: { readonly since: number; readonly asked: boolean } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let everSynced = false;
  let endedBy: number | null = null;
  let withheld: Withheld | null = null;
  let retry: Timer | null = null;
  let renewal: Timer | null = null;
  let forgetTokens: (() => void) | null = null;
  let repeat: Timer | null = null;
  let forgetShown: (() => void) | null = null;
  const extras = new Map<ExtraSubscription["name"], ExtraSubscription>();

  const look = () => {
    probe();
    // Evaluate after the first frame of the farm: before it, "none" would only mean "not rendered yet".
    const synced = attempt?.welcomed === true && ingest.shown() && isSynced();
    everSynced ||= synced;
    if (silence() >= LIVE_LIMITS.notLiveMs) withheld = null;
    const screen = screenLink({
      now: clock.monotonic(),
      synced,
      everSynced,
      startedAt,
      heardAt,
      lostAt: lostAt ?? inDoubt?.since ?? null,
      endedBy,
      withheld: withheld !== null,
    });
    const off = serverClock.localOffset();
    const clockOff = Math.abs(off) > CLOCK_OFF_MS ? Math.round(off / 1000) * 1000 : null;
    const before = link.getState();
    const moved =
      screen.state !== before.screen.state ||
      clockOff !== before.clockOff ||
      everSynced !== before.everSynced ||
      withheld !== before.withheld;
    const silentSince = screen.state === "live" ? null : lastHeard();
    if (moved) link.setState({ screen, clockOff, everSynced, withheld, silentSince });
    if (attempt?.welcomed && activityPing.isDue()) send({ t: "active" });
    if (!attempt) return;
    const unanswered = inDoubt === null ? 0 : Math.min(clock.monotonic() - inDoubt.since, silence());
    const isSilent = attempt.welcomed && silence() >= LIVE_LIMITS.notLiveMs;
    if (unanswered >= RECONNECT_GRACE_MS || isSilent) again(0);
  };
  const doubt = () => {
    if (!running || endedBy !== null) return;
    if (attempt) suspected = true;
    else lostAt ??= clock.monotonic();
    look();
  };
  const lastHeard = () => (heardAt === null ? null : serverClock.now() - silence());
  const silence = () => clock.monotonic() - (heardAt ?? startedAt);

  const send = (message: ClientMessage) => attempt?.socket?.send(message);
  const ask = (stream: StreamName, streamPosition: StreamPosition, as: string | undefined) => {
    const position = streamPosition.current();
    streamPosition.asked();
    send({ t: "subscribe", stream, ...(position ? { position } : {}), ...(as === undefined ? {} : { as }) });
  };
  const subscribe = (stream: OwnStream) => ask(stream, ingest.positions[stream], deps.as);
  const isSynced = () => STREAMS.every((stream) => ingest.positions[stream].synced());
  /**
   * Request the stream position on a doubtful connection: the answer comes over the same connection, or not
   * at all.
   */
  const probe = () => {
    if (!attempt || inDoubt !== null) return;
    const asked = isSynced();
    if (attempt.welcomed && silence() >= DOUBT_AFTER_MS) suspected = true;
    if (!suspected || clock.monotonic() - askedAt < ASK_GAP_MS) return;
    suspected = false;
    askedAt = clock.monotonic();
    inDoubt = { since: askedAt, asked };
    if (asked) subscribe("events");
  };
  const askExtra = (extra: ExtraSubscription) => {
    if (attempt?.welcomed && extras.get(extra.name) === extra) ask(extra.name, extra.position, undefined);
  };

  /** End the running attempt without a report. */
  const drop = () => {
    attempt?.timeout.cancel();
    attempt?.socket?.close();
    if (attempt?.welcomed || inDoubt) lostAt ??= inDoubt?.since ?? clock.monotonic();
    suspected = false;
    inDoubt = null;
    attempt = null;
    renewal?.cancel();
    renewal = null;
    repeat?.cancel();
    repeat = null;
    for (const stream of STREAMS) ingest.positions[stream].lost();
    for (const extra of extras.values()) extra.position.lost();
  };
  const again = (afterMs?: number) => {
    drop();
    if (!running || endedBy !== null) return;
    const delay = afterMs ?? reconnectDelay(failures, deps.random);
    failures += 1;
    retry?.cancel();
    retry = timers.after(delay, connect);
    look();
  };
  const end = (code: number) => {
    drop();
    endedBy = code;
    look();
  };

  const scheduleRenewal = (seconds: number, token: string) => {
    renewal?.cancel();
    const wait = Math.max(1, seconds - Math.min(RENEW_BEFORE_S, seconds / 2));
    renewal = timers.after(wait * 1000, () => void renew(token));
  };
  /** Request a fresh token for the same connection (AUTH-1). The new one arrives by `onToken`. */
  const renew = async (token: string) => {
    try {
      if ((await tokens.renew(token)) === null && running) end(CLOSE.token);
    } catch {
      // No answer; the relay waits 25 s after the end (AUTH-2), so there is time to retry.
      if (running && attempt?.token === token) scheduleRenewal(20, token);
    }
  };
  const takeToken = (token: string) => {
    if (!attempt?.welcomed || attempt.token === token) return;
    attempt.token = token;
    send({ t: "auth", token });
    scheduleRenewal(Math.max(0, tokenExpiry(token, serverClock.now()) - serverClock.now()) / 1000, token);
  };

  const welcome = (mine: Attempt, message: Welcome) => {
    serverClock.sample(message.serverTime, true);
    scheduleRenewal(message.ttl, mine.token);
    link.setState({ servedBuild: message.build, apiTimezone: message.apiTimezone });
    if (mine.welcomed) return;
    mine.welcomed = true;
    activityPing.begin(message.activeEveryMs);
    mine.timeout.cancel();
    lostAt = null;
    for (const stream of STREAMS) subscribe(stream);
    for (const extra of extras.values()) askExtra(extra);
  };
  /** Another account's streams are unavailable (HS-2): report it to the page and retry. */
  const otherRefused = (code: string) => {
    link.setState({ refused: code });
    repeat ??= timers.after(ASK_AGAIN_MS, () => {
      repeat = null;
      for (const stream of STREAMS) if (!ingest.positions[stream].synced()) subscribe(stream);
    });
  };
  /** The own streams are always granted: a refusal concerns an extra subscription or another account. */
  const refused = ({ code, temporary }: StreamRefusal) => {
    if (deps.as !== undefined) return otherRefused(code);
    const waiting = [...extras.values()].filter(({ position }) => !temporary || !position.synced());
    for (const extra of waiting) extra.refused({ code, temporary });
    if (!temporary || waiting.length === 0) return;
    repeat?.cancel();
    repeat = timers.after(ASK_AGAIN_MS, () => {
      for (const extra of waiting) askExtra(extra);
    });
  };
  const bye = async (message: Bye, token: string) => {
    const isOver = !mayReconnect(message.code);
    if (!ASKED_ONCE.has(message.code)) {
      if (isOver) end(message.code);
      else again(message.retryAfterMs > 0 ? message.retryAfterMs : undefined);
      return;
    }
    drop();
    try {
      const fresh = await tokens.renew(token);
      if (!running) return;
      if (fresh === null) end(isOver ? message.code : CLOSE.token);
      else again(isOver ? undefined : message.retryAfterMs);
    } catch {
      again();
    }
  };

  const withhold = (code: string) => {
    if (code === "upstream-down" || code === "store-down") withheld = code;
  };

  const takeOfExtra = (message: Snapshot | Change | Resumed) => {
    const extra = extras.get("fleet");
    if (extra?.apply(message) === "resubscribe") askExtra(extra);
  };

  const receive = (mine: Attempt, raw: unknown) => {
    if (attempt !== mine) return;
    heardAt = clock.monotonic();
    heardWall = clock.now();
    const parsed = parse(ServerMessage, raw);
    if (!parsed.ok) return;
    const message = parsed.value;
    switch (message.t) {
      case "welcome":
        welcome(mine, message);
        break;
      case "beat":
        serverClock.sample(message.serverTime, false);
        break;
      case "link":
        link.setState({ relay: message });
        break;
      case "error":
        // Other causes (a refused token) follow as `bye`, which does not distinguish the store from an
        // upstream.
        if (message.ref === "subscribe") refused(message);
        else if (message.ref === undefined) withhold(message.code);
        break;
      case "bye":
        void bye(message, mine.token);
        return;
      case "snapshot":
      case "change":
      case "event":
      case "resumed":
        if (message.stream === "fleet") takeOfExtra(message);
        else if (ingest.apply(message) === "resubscribe") subscribe(message.stream);
        if (isSynced()) {
          failures = 0;
          withheld = null;
          if (link.getState().refused !== null) link.setState({ refused: null });
        }
        break;
    }
    if (isSynced() || inDoubt?.asked === false) inDoubt = null;
    look();
  };

  const connect = () => {
    if (!running || endedBy !== null) return;
    retry = null;
    const mine: Attempt = {
      since: clock.monotonic(),
      socket: null,
      token: "",
      welcomed: false,
      timeout: timers.after(CONNECT_TIMEOUT_MS, () => {
        if (attempt === mine) again();
      }),
    };
    attempt = mine;
    void tokens.current().then(
      (token) => {
        if (attempt !== mine) return;
        if (token === null) return end(CLOSE.token);
        mine.token = token;
        mine.socket = deps.transport.open({
          opened: () => {
            if (attempt === mine) send({ t: "hello", protocol: PROTOCOL, token: mine.token });
          },
          message: (raw) => receive(mine, raw),
          closed: () => {
            if (attempt === mine) again();
          },
        });
      },
      () => {
        if (attempt === mine) again();
      },
    );
  };

  return {
    start() {
      if (running) return;
      running = true;
      endedBy = null;
      failures = 0;
      startedAt = clock.monotonic();
      forgetTokens = tokens.onToken(takeToken);
      // In a separate task: rendering the first farm data takes long enough.
      forgetShown = ingest.onShown(() => timers.after(0, look));
      connect();
    },
    stop() {
      running = false;
      retry?.cancel();
      retry = null;
      forgetTokens?.();
      forgetTokens = null;
      forgetShown?.();
      forgetShown = null;
      drop();
    },
    wake() {
      if (!running || endedBy !== null) return;
      if (attempt === null) {
        retry?.cancel();
        failures = 0;
        connect();
        return;
      }
      // After sleep the socket may be dead and the monotonic clock may have stopped.
      const slept = Math.max(silence(), clock.now() - heardWall);
      const hung = !attempt.welcomed && clock.monotonic() - attempt.since > YOUNG_ATTEMPT_MS;
      if (hung || (attempt.welcomed && slept > DOUBT_AFTER_MS)) again(0);
    },
    online() {
      if (!running || endedBy !== null) return;
      failures = 0;
      // Attempts without a network say nothing about the new one.
      if (attempt?.welcomed) doubt();
      else again(0);
    },
    doubt,
    look,
    silence: () => (heardAt === null ? null : silence()),
    join(extra) {
      extras.set(extra.name, extra);
      askExtra(extra);
      return () => {
        if (extras.get(extra.name) !== extra) return;
        extras.delete(extra.name);
        extra.position.lost();
        if (attempt?.welcomed) send({ t: "unsubscribe", stream: extra.name });
      };
    },
  };
}

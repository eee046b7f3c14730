// Long because one machine of states holds every way in which a connection begins, is renewed, refused and ends.
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
import type { Clock, Random } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import { createAttendance } from "./attendance.ts";
import { reconnectDelay } from "./backoff.ts";
import type { Door, DoorConnection } from "./door.ts";
import { ASK_AGAIN_MS, type GuestStream, type StreamRefusal } from "./guest-stream.ts";
import type { Ingest, OwnStream } from "./ingest.ts";
import { type LinkStore, RECONNECT_GRACE_MS, screenLink, type Withheld } from "./link.ts";
import { CLOCK_OFF_MS, type ServerClock } from "./server-clock.ts";
import type { StreamPosition } from "./stream-position.ts";
import type { Timers } from "./timers.ts";
import { tokenLifetime } from "./token-lifetime.ts";

/** ms for connecting and being welcomed; the relay may have to ask a slow farm API about the token. */
export const CONNECT_TIMEOUT_MS = 20_000;

/** A token is renewed this long before its end, s (AUTH-1); at most half of its life. */
export const RENEW_BEFORE_S = 60;

/** A silence of this long, ms, is a missed heartbeat: a beat and some delay. */
export const DOUBT_AFTER_MS = LIVE_LIMITS.beatMs + 5_000;

/** A connection in doubt is asked at most this often, ms, whatever the number of signs (HS-5). */
const ASK_GAP_MS = 1_000;

/** An attempt younger than this is left alone by a waking tab, ms. */
const YOUNG_ATTEMPT_MS = 2_000;

const STREAMS: readonly OwnStream[] = ["devices", "events"];

/** Where access tokens come from. Both calls reject when nobody can be asked just now. */
export interface LiveTokens {
  /** The token to say hello with; null when nobody is signed in. */
  current(): Promise<string | null>;
  /** A newer token than `used`; null when the sign-in is over. */
  renew(used: string): Promise<string | null>;
  /** Called with every new token, whoever asked for it. */
  onToken(listener: (token: string) => void): () => void;
}

export interface ConnectionDeps {
  readonly door: Door;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly tokens: LiveTokens;
  readonly ingest: Ingest;
  readonly link: LinkStore;
  /** Somebody can see the page. */
  readonly isLookedAt: () => boolean;
  /** The account that is read in the place of one's own (HS-2). */
  readonly as?: string | undefined;
}

/** The one connection of the page: comes back for ever, resumes where it was (LIVE-2, SUB-3). */
export interface Connection {
  start(): void;
  stop(): void;
  /** Continue after the tab was hidden or the machine slept: no more waiting. */
  wake(): void;
  /** Connect at once: the machine has a network again, or another one. */
  online(): void;
  /** Take a sign that the relay may be out of reach: ask it, and say so unless it answers (LIVE-1). */
  doubt(): void;
  /** Looks at the clocks and tells the link store; called about once a second. */
  look(): void;
  /** ms since anything was heard; null before the first message. */
  silence(): number | null;
  /** Asks for one more stream, now and on every connection to come. @returns no longer */
  join(guest: GuestStream): () => void;
}

/** One attempt and what became of it. `welcomed` is false until the relay knows us. */
interface Attempt {
  readonly since: number;
  socket: DoorConnection | null;
  token: string;
  welcomed: boolean;
  cancelTimeout: () => void;
}

export function createConnection(deps: ConnectionDeps): Connection {
  const { clock, serverClock, timers, tokens, ingest, link } = deps;
  const attendance = createAttendance(clock, deps.isLookedAt);
  let running = false;
  let attempt: Attempt | null = null;
  let failures = 0;
  let startedAt = clock.monotonic();
  let heardAt: number | null = null;
  let heardWall = clock.now();
  let lostAt: number | null = null;
  /** A sign has been seen that no question was asked about yet. */
  let suspected = false;
  /** `asked`: only an answer ends the doubt; on the way to the present any message does. */
  let inDoubt: { readonly since: number; readonly asked: boolean } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let everSynced = false;
  let endedBy: number | null = null;
  let withheld: Withheld | null = null;
  let cancelRetry: (() => void) | null = null;
  let cancelRenewal: (() => void) | null = null;
  let forgetTokens: (() => void) | null = null;
  let cancelAsking: (() => void) | null = null;
  let forgetShown: (() => void) | null = null;
  const guests = new Map<GuestStream["name"], GuestStream>();

  const look = () => {
    probe();
    // Said after the first picture of the farm, not before it: "none" would be said of what is only not drawn yet.
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
    if (attempt?.welcomed && attendance.isDue()) send({ t: "active" });
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
  const ask = (stream: StreamName, standing: StreamPosition, as: string | undefined) => {
    const position = standing.current();
    standing.asked();
    send({ t: "subscribe", stream, ...(position ? { position } : {}), ...(as === undefined ? {} : { as }) });
  };
  const subscribe = (stream: OwnStream) => ask(stream, ingest.positions[stream], deps.as);
  const isSynced = () => STREAMS.every((stream) => ingest.positions[stream].synced());
  /** Asks a connection in doubt for its place in a stream: the answer comes over the same connection, or not at all. */
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
  const askGuest = (guest: GuestStream) => {
    if (attempt?.welcomed && guests.get(guest.name) === guest) ask(guest.name, guest.position, undefined);
  };

  /** Ends the running attempt, quietly. */
  const drop = () => {
    attempt?.cancelTimeout();
    attempt?.socket?.close();
    if (attempt?.welcomed || inDoubt) lostAt ??= inDoubt?.since ?? clock.monotonic();
    suspected = false;
    inDoubt = null;
    attempt = null;
    cancelRenewal?.();
    cancelRenewal = null;
    cancelAsking?.();
    cancelAsking = null;
    for (const stream of STREAMS) ingest.positions[stream].lost();
    for (const guest of guests.values()) guest.position.lost();
  };
  const again = (afterMs?: number) => {
    drop();
    if (!running || endedBy !== null) return;
    const delay = afterMs ?? reconnectDelay(failures, deps.random);
    failures += 1;
    cancelRetry?.();
    cancelRetry = timers.after(delay, connect);
    look();
  };
  const end = (code: number) => {
    drop();
    endedBy = code;
    look();
  };

  const scheduleRenewal = (seconds: number, token: string) => {
    cancelRenewal?.();
    const wait = Math.max(1, seconds - Math.min(RENEW_BEFORE_S, seconds / 2));
    cancelRenewal = timers.after(wait * 1000, () => void renew(token));
  };
  /** AUTH-1: a fresh token on the same connection. The new one comes by `onToken`. */
  const renew = async (token: string) => {
    try {
      if ((await tokens.renew(token)) === null && running) end(CLOSE.token);
    } catch {
      // Nobody could be asked; the relay waits 25 s after the end (AUTH-2), so there is time to ask again.
      if (running && attempt?.token === token) scheduleRenewal(20, token);
    }
  };
  const takeToken = (token: string) => {
    if (!attempt?.welcomed || attempt.token === token) return;
    attempt.token = token;
    send({ t: "auth", token });
    scheduleRenewal(tokenLifetime(token, serverClock.now()), token);
  };

  const welcome = (mine: Attempt, message: Welcome) => {
    serverClock.sample(message.serverTime, true);
    scheduleRenewal(message.ttl, mine.token);
    link.setState({ servedBuild: message.build, apiTimezone: message.apiTimezone });
    if (mine.welcomed) return;
    mine.welcomed = true;
    attendance.begin(message.activeEveryMs);
    mine.cancelTimeout();
    lostAt = null;
    for (const stream of STREAMS) subscribe(stream);
    for (const guest of guests.values()) askGuest(guest);
  };
  /** The streams of another account could not be had (HS-2): the page says so, and asks again. */
  const otherRefused = (code: string) => {
    link.setState({ refused: code });
    cancelAsking ??= timers.after(ASK_AGAIN_MS, () => {
      cancelAsking = null;
      for (const stream of STREAMS) if (!ingest.positions[stream].synced()) subscribe(stream);
    });
  };
  /** One's own streams are always given: what is refused is a guest that is not there yet, or another account. */
  const refused = ({ code, temporary }: StreamRefusal) => {
    if (deps.as !== undefined) return otherRefused(code);
    const waiting = [...guests.values()].filter(({ position }) => !temporary || !position.synced());
    for (const guest of waiting) guest.refused({ code, temporary });
    if (!temporary || waiting.length === 0) return;
    cancelAsking?.();
    cancelAsking = timers.after(ASK_AGAIN_MS, () => {
      for (const guest of waiting) askGuest(guest);
    });
  };
  const bye = async (message: Bye, token: string) => {
    if (!mayReconnect(message.code)) return end(message.code);
    // A display that was changed asks what it is to show, as whoever needs another token asks for one.
    if (message.code !== CLOSE.token && message.code !== CLOSE.displayChanged)
      return again(message.retryAfterMs > 0 ? message.retryAfterMs : undefined);
    drop();
    try {
      const fresh = await tokens.renew(token);
      if (!running) return;
      if (fresh === null) end(CLOSE.token);
      else again(message.retryAfterMs);
    } catch {
      again();
    }
  };

  const withhold = (code: string) => {
    if (code === "upstream-down" || code === "store-down") withheld = code;
  };

  const takeOfGuest = (message: Snapshot | Change | Resumed) => {
    const guest = guests.get("fleet");
    if (guest?.take(message) === "resubscribe") askGuest(guest);
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
        // What else matters (a refused token) follows as `bye`, which does not tell a store from an upstream.
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
        if (message.stream === "fleet") takeOfGuest(message);
        else if (ingest.take(message) === "resubscribe") subscribe(message.stream);
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
    cancelRetry = null;
    const mine: Attempt = {
      since: clock.monotonic(),
      socket: null,
      token: "",
      welcomed: false,
      cancelTimeout: timers.after(CONNECT_TIMEOUT_MS, () => {
        if (attempt === mine) again();
      }),
    };
    attempt = mine;
    void tokens.current().then(
      (token) => {
        if (attempt !== mine) return;
        if (token === null) return end(CLOSE.token);
        mine.token = token;
        mine.socket = deps.door.open({
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
      // In a task of its own: what is drawn of the first farm takes long enough by itself.
      forgetShown = ingest.onShown(() => timers.after(0, look));
      connect();
    },
    stop() {
      running = false;
      cancelRetry?.();
      cancelRetry = null;
      forgetTokens?.();
      forgetTokens = null;
      forgetShown?.();
      forgetShown = null;
      drop();
    },
    wake() {
      if (!running || endedBy !== null) return;
      if (attempt === null) {
        cancelRetry?.();
        failures = 0;
        connect();
        return;
      }
      // A machine that slept: its socket may be dead, its monotonic clock may have stood still.
      const slept = Math.max(silence(), clock.now() - heardWall);
      const hung = !attempt.welcomed && clock.monotonic() - attempt.since > YOUNG_ATTEMPT_MS;
      if (hung || (attempt.welcomed && slept > DOUBT_AFTER_MS)) again(0);
    },
    online() {
      if (!running || endedBy !== null) return;
      failures = 0;
      // What was tried without a network says nothing of the way that there is now.
      if (attempt?.welcomed) doubt();
      else again(0);
    },
    doubt,
    look,
    silence: () => (heardAt === null ? null : silence()),
    join(guest) {
      guests.set(guest.name, guest);
      askGuest(guest);
      return () => {
        if (guests.get(guest.name) !== guest) return;
        guests.delete(guest.name);
        guest.position.lost();
        if (attempt?.welcomed) send({ t: "unsubscribe", stream: guest.name });
      };
    },
  };
}

import { randomUUID } from "node:crypto";
import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import { parse } from "@mulkko/shared/schema/parse";
import type { ProvenAccount } from "../access/token-prover.ts";
import type { Viewer } from "../account/viewing.ts";
import type { Log } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import { notPersisted, StoreUnavailableError } from "../store/errors.ts";
import type { Access, Client } from "./access.ts";
import { type CloseReason, closeReason } from "./close-reason.ts";
import type { Session, TransportConnection } from "./connection.ts";
import { createDelivery } from "./delivery.ts";
import type { GatewayLimits } from "./limits.ts";
import { outgoing } from "./outgoing.ts";
import type { Registration, SessionRegistry } from "./session-registry.ts";
import type { StreamDeliveries } from "./stream-delivery.ts";
import { createSubscriptions, type Refusal, type Subscriptions } from "./subscriptions.ts";
import type { RelayMessages } from "./welcome.ts";

/** Dependencies common to all sessions. */
export interface SessionDeps {
  readonly access: Access;
  readonly messages: RelayMessages;
  readonly metrics: Metrics;
  readonly limits: GatewayLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

interface Live {
  readonly kind: "live";
  readonly client: Client;
  readonly viewer: Viewer;
  readonly subscriptions: Subscriptions;
  /** Monotonic ms at which the token ends; a display's never ends. */
  tokenEnds: number;
}

/** The state of a session. */
type State =
  | { readonly kind: "awaiting-hello" }
  /** The token is being proven, then the account's state read. Messages of the client wait meanwhile. */
  | { readonly kind: "proving"; readonly waiting: ClientMessage[] }
  | Live
  | { readonly kind: "closing" };

/** The times that a session's deadlines depend on, all in monotonic ms. */
interface SessionTimes {
  readonly sentAt: number;
  readonly markedAt: number;
  readonly lastSeenAt: number;
  /** The time since which bytes wait for a marker; null: none do. */
  readonly waitingSince: number | null;
  /** Null before the token was proven. */
  readonly tokenEnds: number | null;
}

type DeadlineLimits = Pick<
  GatewayLimits,
  "beatMs" | "pingMs" | "silentMs" | "tokenGraceMs" | "markerTimeoutMs"
>;

/** Return the session's next deadline, monotonic ms. */
function nextDeadline(times: SessionTimes, limits: DeadlineLimits): number {
  const deadlines = [
    times.sentAt + limits.beatMs,
    times.markedAt + limits.pingMs,
    times.lastSeenAt + limits.silentMs,
  ];
  if (times.tokenEnds !== null) deadlines.push(times.tokenEnds + limits.tokenGraceMs);
  if (times.waitingSince !== null) deadlines.push(times.waitingSince + limits.markerTimeoutMs);
  return Math.min(...deadlines);
}

/** Return true once the token has ended, and the time to send another is over (AUTH-1). */
const tokenIsOver = (now: number, times: SessionTimes, limits: DeadlineLimits): boolean =>
  times.tokenEnds !== null && now >= times.tokenEnds + limits.tokenGraceMs;

/** Return true once sent bytes have waited too long for their marker (SLOW-2). */
const isTooSlow = (now: number, times: SessionTimes, limits: DeadlineLimits): boolean =>
  times.waitingSince !== null && now - times.waitingSince >= limits.markerTimeoutMs;

const TEMPORARY: ReadonlySet<ErrorCode> = new Set(["upstream-down", "store-down", "too-many-requests"]);
/** Return true if the same request can succeed later. */
const isTemporary = ({ error }: CloseReason): boolean => error !== undefined && TEMPORARY.has(error);

/** Create the session behind both transports: what it sends when, and when it ends (HS, AUTH, LIVE rules). */
export function createSession(
  deps: SessionDeps,
  registry: SessionRegistry,
  deliveries: StreamDeliveries,
  connection: TransportConnection,
): Session {
  const { access, clock, limits, log, messages, metrics, timers } = deps;
  const id = randomUUID();
  const openedAt = clock.monotonic();
  const tally = metrics.tally(connection.transport);
  const delivery = createDelivery(connection, clock, limits, tally);
  const rate = createRateLimit(clock, limits.messageWindowMs);
  let state: State = { kind: "awaiting-hello" };
  let registration: Registration | undefined;
  /** The newest token of the farm API that was accepted. */
  let newestToken: string | undefined;
  let lastSeenAt = openedAt;
  let markedAt = openedAt;
  let badMessages = 0;
  let isOpen = true;
  /** Note that a display has disconnected. */
  let leave = (): void => undefined;
  let timer = timers.after(limits.helloMs, wake);

  function sendError(code: ErrorCode, message: string, temporary: boolean, ref?: string): void {
    delivery.send(outgoing({ t: "error", code, message, temporary, ...(ref !== undefined && { ref }) }));
  }

  function refuse(refusal: Refusal | null): void {
    if (refusal) sendError(refusal.code, refusal.message, refusal.temporary, "subscribe");
  }

  /** HS-5: report a bad message; the tenth one ends the connection. */
  function bad(code: ErrorCode, message: string, ref?: string): void {
    badMessages += 1;
    sendError(code, message, code === "too-many-requests", ref);
    if (badMessages >= limits.badMessages) end(closeReason.badMessages);
  }

  function release(): void {
    timer.cancel();
    delivery.close();
    registration?.remove();
    registration = undefined;
    leave();
    if (state.kind === "live") {
      state.subscriptions.close();
      state.viewer.release();
    }
    state = { kind: "closing" };
  }

  function end(last: CloseReason): void {
    if (state.kind === "closing") return;
    const { code, reason, retryAfterMs, error } = last;
    if (error) sendError(error, reason, isTemporary(last));
    delivery.send(outgoing({ t: "bye", code, reason, retryAfterMs }));
    release();
    metrics.sessionEnded(connection.transport, code);
    // Set before the close, during which Socket.IO reports the end at once: no timer may remain then.
    timer = timers.after(limits.partingMs, connection.terminate);
    connection.close(code, reason);
  }

  const tokenEndOf = (proven: ProvenAccount): number => clock.monotonic() + proven.expiresAt - clock.now();

  async function hello(token: string): Promise<void> {
    const proving: State = { kind: "proving", waiting: [] };
    state = proving;
    const who = await access.identify(token);
    if (state !== proving) return;
    if (!who.ok) {
      end(who.last);
      return;
    }
    const { client } = who;
    const { proven, display } = client;
    registration = registry.register(session, client.bearer, proven.accountId);
    if (!registration) {
      end(closeReason.tooMany);
      return;
    }
    const attended = client.attend();
    if (attended === null) {
      end(closeReason.displayChanged);
      return;
    }
    leave = attended;
    if (!display) newestToken = token;
    delivery.send(messages.welcome(id, proven, limits.activeEveryMs));
    delivery.send(messages.link());
    rearm();
    const viewer = await client.view();
    if (state !== proving) {
      // The connection ended while the account's state was read.
      viewer.release();
      return;
    }
    const subscriptions = createSubscriptions({
      ...{ session: id, client, viewer, delivery, deliveries, clock },
      onLost(stream, refusal, error) {
        if (error !== undefined)
          log.debug({ event: "stream-not-opened", err: error, session: id, stream }, "cannot open stream");
        refuse(refusal);
      },
    });
    const tokenEnds = display ? Number.POSITIVE_INFINITY : tokenEndOf(proven);
    state = { kind: "live", client, viewer, subscriptions, tokenEnds };
    rearm();
    for (const message of proving.waiting) handle(message);
  }

  /** AUTH-1: accept a fresh token on the same connection. The old one counts until the new one is proven. */
  async function renew(live: Live, token: string): Promise<void> {
    const who = await access.identify(token);
    if (state !== live) return;
    const { display, proven } = live.client;
    if (!who.ok) {
      const { last } = who;
      if (display || isDisplayToken(token) || last === closeReason.disabled) end(last);
      else sendError(last.error ?? "token-expired", "token not accepted", isTemporary(last), "auth");
      return;
    }
    const { client } = who;
    // A display's own token may be renewed; no other may replace it.
    if (client.proven.accountId !== proven.accountId || client.display?.id !== display?.id)
      end(closeReason.otherAccount);
    else if (!display) {
      registration?.changeToken(token);
      newestToken = token;
      live.tokenEnds = tokenEndOf(client.proven);
      live.viewer.renew(token);
      live.subscriptions.renew(client);
      rearm();
    }
  }

  async function prove(again: boolean): Promise<void> {
    if (newestToken === undefined || state.kind === "closing") return;
    const token = newestToken;
    const last = await access.endOf(token, again);
    if (last && newestToken === token) end(last);
  }

  function handle(message: ClientMessage): void {
    switch (state.kind) {
      case "closing":
        break;
      case "awaiting-hello":
        if (message.t !== "hello") bad("bad-message", "send hello first", message.t);
        else if (message.protocol !== PROTOCOL) end(closeReason.unknownProtocol);
        else background(hello(message.token));
        break;
      case "proving":
        if (message.t === "hello") bad("bad-message", "hello was already sent", message.t);
        else if (state.waiting.length < limits.messagesPerWindow) state.waiting.push(message);
        else bad("too-many-requests", "the account is not ready yet", message.t);
        break;
      case "live":
        handleLive(state, message);
        break;
    }
  }

  function handleLive(live: Live, message: ClientMessage): void {
    switch (message.t) {
      case "hello":
        bad("bad-message", "hello was already sent", message.t);
        break;
      case "auth":
        background(renew(live, message.token));
        break;
      case "active":
        live.subscriptions.active();
        break;
      case "ask":
        delivery.send(messages.beat(message.n));
        break;
      case "subscribe":
        live.subscriptions.active();
        refuse(live.subscriptions.subscribe(message));
        break;
      case "unsubscribe":
        live.subscriptions.unsubscribe(message.stream);
        break;
    }
  }

  /**
   * Run work in the background. A failure concerns the relay's connection to the farm API or its store; the
   * client reconnects by itself.
   */
  function background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      notPersisted(log, "warn", { event: "session-failed", session: id }, "cannot serve session")(error);
      end(error instanceof StoreUnavailableError ? closeReason.storeDown : closeReason.upstreamDown);
    });
  }

  const times = (): SessionTimes => ({
    sentAt: delivery.sentAt(),
    markedAt,
    lastSeenAt,
    waitingSince: delivery.waitingSince(),
    tokenEnds: state.kind === "live" ? state.tokenEnds : null,
  });

  function rearm(): void {
    timer.cancel();
    timer = timers.after(Math.max(1, nextDeadline(times(), limits) - clock.monotonic()), wake);
  }

  /** Return the reason to end the session now, or null. */
  function ending(now: number): CloseReason | null {
    if (state.kind === "awaiting-hello") return closeReason.noHello;
    if (tokenIsOver(now, times(), limits)) return closeReason.tokenEnded;
    return isTooSlow(now, times(), limits) ? closeReason.tooSlow : null;
  }

  /** Handle the session's only timer, set for its next deadline. */
  function wake(): void {
    const now = clock.monotonic();
    const last = ending(now);
    if (last) {
      end(last);
    } else if (now - lastSeenAt >= limits.silentMs) {
      connection.terminate();
    } else {
      if (now - markedAt >= limits.pingMs) {
        markedAt = now;
        delivery.mark();
      }
      // POLL-1: a wall display has no user activity, but always counts as watched.
      if (state.kind === "live" && state.client.display) state.subscriptions.active();
      if (now - delivery.sentAt() >= limits.beatMs) delivery.send(messages.beat());
      rearm();
    }
  }

  /**
   * Count a message.
   * @returns false for one too many, or too late
   */
  function admit(): boolean {
    lastSeenAt = clock.monotonic();
    if (state.kind === "closing") return false;
    if (rate.refuses("message", limits.messagesPerWindow) === null) return true;
    bad("too-many-requests", `at most ${limits.messagesPerWindow} messages in 10 s`);
    return false;
  }

  const session: Session = {
    id,
    receive(message) {
      if (!admit()) return;
      const parsed = parse(ClientMessage, message);
      if (parsed.ok) handle(parsed.value);
      else
        bad("bad-message", `not a message of the protocol: ${parsed.path} ${parsed.message}`.slice(0, 200));
    },
    receiveGarbage() {
      if (admit()) bad("bad-message", "a frame is one JSON message");
    },
    pinged: admit,
    confirmed(marker) {
      lastSeenAt = clock.monotonic();
      if (state.kind !== "closing") delivery.confirmed(marker);
    },
    noteActivity() {
      lastSeenAt = clock.monotonic();
    },
    closed() {
      if (!isOpen) return;
      isOpen = false;
      if (state.kind !== "closing") metrics.sessionEnded(connection.transport, 1000);
      release();
      registry.remove(session);
      tally.sessions -= 1;
    },
    prove,
    end,
    link(message) {
      if (registration) delivery.send(message);
    },
  };
  registry.add(session);
  tally.sessions += 1;
  return session;
}

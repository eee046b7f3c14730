import { randomUUID } from "node:crypto";
import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { Clock, Timer, Timers } from "@mulkko/shared/rules/clock";
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
import { type Outgoing, outgoing } from "./outgoing.ts";
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

/**
 * The session behind both transports: what it sends when, and when it ends (HS, AUTH, LIVE rules).
 *
 * ```
 *   awaiting-hello ──hello──▶ proving ──the account's state is read──▶ live ⟲ auth: another token
 *         │ 10 s                 │ token not accepted,                   │ token ended or revoked, too slow,
 *         ▼                      ▼ the relay cannot read the account     ▼ silent, bad messages, the relay stops
 *      closing ◀─────────────────┴───────────────────────────────────────┘
 * ```
 *
 * In `closing` its `bye` is sent, and the connection is closed, or ended after a while; `closed` comes from the transport
 * in every state.
 */
export class LiveSession implements Session {
  readonly id = randomUUID();
  readonly #deps: SessionDeps;
  readonly #registry: SessionRegistry;
  readonly #deliveries: StreamDeliveries;
  readonly #connection: TransportConnection;
  readonly #openedAt;
  readonly #tally;
  readonly #delivery;
  readonly #rate;
  #state: State = { kind: "awaiting-hello" };
  #registration: Registration | undefined;
  /** The newest token of the farm API that was accepted. */
  #newestToken: string | undefined;
  #lastSeenAt: number;
  #markedAt: number;
  #badMessages = 0;
  #isOpen = true;
  /** Note that a display has disconnected. */
  #leave = (): void => undefined;
  #timer: Timer;

  constructor(
    deps: SessionDeps,
    registry: SessionRegistry,
    deliveries: StreamDeliveries,
    connection: TransportConnection,
  ) {
    this.#deps = deps;
    this.#registry = registry;
    this.#deliveries = deliveries;
    this.#connection = connection;
    const { clock, metrics, limits, timers } = this.#deps;
    this.#openedAt = clock.monotonic();
    this.#tally = metrics.tally(this.#connection.transport);
    this.#delivery = createDelivery(this.#connection, clock, limits, this.#tally);
    this.#rate = createRateLimit(clock, limits.messageWindowMs);
    this.#lastSeenAt = this.#openedAt;
    this.#markedAt = this.#openedAt;
    this.#timer = timers.after(limits.helloMs, () => this.#wake());
    this.#registry.add(this);
    this.#tally.sessions += 1;
  }

  receive(message: unknown): void {
    if (!this.#admit()) return;
    const parsed = parse(ClientMessage, message);
    if (parsed.ok) this.#handle(parsed.value);
    else
      this.#bad(
        "bad-message",
        `not a message of the protocol: ${parsed.path} ${parsed.message}`.slice(0, 200),
      );
  }

  receiveGarbage(): void {
    if (this.#admit()) this.#bad("bad-message", "a frame is one JSON message");
  }

  pinged(): boolean {
    return this.#admit();
  }

  confirmed(marker: number): void {
    this.#lastSeenAt = this.#deps.clock.monotonic();
    if (this.#state.kind !== "closing") this.#delivery.confirmed(marker);
  }

  noteActivity(): void {
    this.#lastSeenAt = this.#deps.clock.monotonic();
  }

  closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#state.kind !== "closing") this.#deps.metrics.sessionEnded(this.#connection.transport, 1000);
    this.#release();
    this.#registry.remove(this);
    this.#tally.sessions -= 1;
  }

  async prove(again: boolean): Promise<void> {
    if (this.#newestToken === undefined || this.#state.kind === "closing") return;
    const token = this.#newestToken;
    const last = await this.#deps.access.endOf(token, again);
    if (last && this.#newestToken === token) this.end(last);
  }

  end(last: CloseReason): void {
    if (this.#state.kind === "closing") return;
    const { code, reason, retryAfterMs, error } = last;
    if (error) this.#sendError(error, reason, isTemporary(last));
    this.#delivery.send(outgoing({ t: "bye", code, reason, retryAfterMs }));
    this.#release();
    this.#deps.metrics.sessionEnded(this.#connection.transport, code);
    // Set before the close, during which Socket.IO reports the end at once: no timer may remain then.
    this.#timer = this.#deps.timers.after(this.#deps.limits.partingMs, this.#connection.terminate);
    this.#connection.close(code, reason);
  }

  link(message: Outgoing): void {
    if (this.#registration) this.#delivery.send(message);
  }

  #sendError(code: ErrorCode, message: string, temporary: boolean, ref?: string): void {
    this.#delivery.send(
      outgoing({ t: "error", code, message, temporary, ...(ref !== undefined && { ref }) }),
    );
  }

  #refuse(refusal: Refusal | null): void {
    if (refusal) this.#sendError(refusal.code, refusal.message, refusal.temporary, "subscribe");
  }

  /** HS-5: report a bad message; the tenth one ends the connection. */
  #bad(code: ErrorCode, message: string, ref?: string): void {
    this.#badMessages += 1;
    this.#sendError(code, message, code === "too-many-requests", ref);
    if (this.#badMessages >= this.#deps.limits.badMessages) this.end(closeReason.badMessages);
  }

  #release(): void {
    this.#timer.cancel();
    this.#delivery.close();
    this.#registration?.remove();
    this.#registration = undefined;
    this.#leave();
    if (this.#state.kind === "live") {
      this.#state.subscriptions.close();
      this.#state.viewer.release();
    }
    this.#state = { kind: "closing" };
  }

  #tokenEndOf(proven: ProvenAccount): number {
    const { clock } = this.#deps;
    return clock.monotonic() + proven.expiresAt - clock.now();
  }

  async #hello(token: string): Promise<void> {
    const { messages } = this.#deps;
    const proving: State = { kind: "proving", waiting: [] };
    this.#state = proving;
    const who = await this.#deps.access.identify(token);
    if (this.#state !== proving) return;
    if (!who.ok) {
      this.end(who.last);
      return;
    }
    const { client } = who;
    const { proven, display } = client;
    this.#registration = this.#registry.register(this, client.bearer, proven.accountId);
    if (!this.#registration) {
      this.end(closeReason.tooMany);
      return;
    }
    const attended = client.attend();
    if (attended === null) {
      this.end(closeReason.displayChanged);
      return;
    }
    this.#leave = attended;
    if (!display) this.#newestToken = token;
    this.#delivery.send(messages.welcome(this.id, proven, this.#deps.limits.activeEveryMs));
    this.#delivery.send(messages.link());
    this.#rearm();
    const viewer = await client.view();
    if (this.#state !== proving) {
      // The connection ended while the account's state was read.
      viewer.release();
      return;
    }
    const subscriptions = createSubscriptions({
      ...{
        session: this.id,
        client,
        viewer,
        delivery: this.#delivery,
        deliveries: this.#deliveries,
        clock: this.#deps.clock,
      },
      onLost: (stream, refusal, error) => {
        if (error !== undefined)
          this.#deps.log.debug(
            { event: "stream-not-opened", err: error, session: this.id, stream },
            "cannot open stream",
          );
        this.#refuse(refusal);
      },
    });
    const tokenEnds = display ? Number.POSITIVE_INFINITY : this.#tokenEndOf(proven);
    this.#state = { kind: "live", client, viewer, subscriptions, tokenEnds };
    this.#rearm();
    for (const message of proving.waiting) this.#handle(message);
  }

  /** AUTH-1: accept a fresh token on the same connection. The old one counts until the new one is proven. */
  async #renew(live: Live, token: string): Promise<void> {
    const who = await this.#deps.access.identify(token);
    if (this.#state !== live) return;
    const { display, proven } = live.client;
    if (!who.ok) {
      const { last } = who;
      if (display || isDisplayToken(token) || last === closeReason.disabled) this.end(last);
      else this.#sendError(last.error ?? "token-expired", "token not accepted", isTemporary(last), "auth");
      return;
    }
    const { client } = who;
    // A display's own token may be renewed; no other may replace it.
    if (client.proven.accountId !== proven.accountId || client.display?.id !== display?.id)
      this.end(closeReason.otherAccount);
    else if (!display) {
      this.#registration?.changeToken(token);
      this.#newestToken = token;
      live.tokenEnds = this.#tokenEndOf(client.proven);
      live.viewer.renew(token);
      live.subscriptions.renew(client);
      this.#rearm();
    }
  }

  #handle(message: ClientMessage): void {
    switch (this.#state.kind) {
      case "closing":
        break;
      case "awaiting-hello":
        if (message.t !== "hello") this.#bad("bad-message", "send hello first", message.t);
        else if (message.protocol !== PROTOCOL) this.end(closeReason.unknownProtocol);
        else this.#background(this.#hello(message.token));
        break;
      case "proving":
        if (message.t === "hello") this.#bad("bad-message", "hello was already sent", message.t);
        else if (this.#state.waiting.length < this.#deps.limits.messagesPerWindow)
          this.#state.waiting.push(message);
        else this.#bad("too-many-requests", "the account is not ready yet", message.t);
        break;
      case "live":
        this.#handleLive(this.#state, message);
        break;
    }
  }

  #handleLive(live: Live, message: ClientMessage): void {
    switch (message.t) {
      case "hello":
        this.#bad("bad-message", "hello was already sent", message.t);
        break;
      case "auth":
        this.#background(this.#renew(live, message.token));
        break;
      case "active":
        live.subscriptions.active();
        break;
      case "ask":
        this.#delivery.send(this.#deps.messages.beat(message.n));
        break;
      case "subscribe":
        live.subscriptions.active();
        this.#refuse(live.subscriptions.subscribe(message));
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
  #background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      notPersisted(
        this.#deps.log,
        "warn",
        { event: "session-failed", session: this.id },
        "cannot serve session",
      )(error);
      this.end(error instanceof StoreUnavailableError ? closeReason.storeDown : closeReason.upstreamDown);
    });
  }

  #times(): SessionTimes {
    return {
      sentAt: this.#delivery.sentAt(),
      markedAt: this.#markedAt,
      lastSeenAt: this.#lastSeenAt,
      waitingSince: this.#delivery.waitingSince(),
      tokenEnds: this.#state.kind === "live" ? this.#state.tokenEnds : null,
    };
  }

  #rearm(): void {
    this.#timer.cancel();
    this.#timer = this.#deps.timers.after(
      Math.max(1, nextDeadline(this.#times(), this.#deps.limits) - this.#deps.clock.monotonic()),
      () => this.#wake(),
    );
  }

  /** Return the reason to end the session now, or null. */
  #ending(now: number): CloseReason | null {
    const { limits } = this.#deps;
    if (this.#state.kind === "awaiting-hello") return closeReason.noHello;
    if (tokenIsOver(now, this.#times(), limits)) return closeReason.tokenEnded;
    return isTooSlow(now, this.#times(), limits) ? closeReason.tooSlow : null;
  }

  /** Handle the session's only timer, set for its next deadline. */
  #wake(): void {
    const { limits } = this.#deps;
    const now = this.#deps.clock.monotonic();
    const last = this.#ending(now);
    if (last) {
      this.end(last);
    } else if (now - this.#lastSeenAt >= limits.silentMs) {
      this.#connection.terminate();
    } else {
      if (now - this.#markedAt >= limits.pingMs) {
        this.#markedAt = now;
        this.#delivery.mark();
      }
      // POLL-1: a wall display has no user activity, but always counts as watched.
      if (this.#state.kind === "live" && this.#state.client.display) this.#state.subscriptions.active();
      if (now - this.#delivery.sentAt() >= limits.beatMs) this.#delivery.send(this.#deps.messages.beat());
      this.#rearm();
    }
  }

  /**
   * Count a message.
   * @returns false for one too many, or too late
   */
  #admit(): boolean {
    const { limits } = this.#deps;
    this.#lastSeenAt = this.#deps.clock.monotonic();
    if (this.#state.kind === "closing") return false;
    if (this.#rate.refuses("message", limits.messagesPerWindow) === null) return true;
    this.#bad("too-many-requests", `at most ${limits.messagesPerWindow} messages in 10 s`);
    return false;
  }
}

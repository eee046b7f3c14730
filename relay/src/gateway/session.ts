// Long because one table of states, in one place, serves both transports and all tests.
import { randomUUID } from "node:crypto";
import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import type { ErrorCode } from "@mulkko/shared/rest/errors";
import { createRateLimit } from "@mulkko/shared/rules/rate-limit";
import { parse } from "@mulkko/shared/schema/parse";
import { isAdministrator, READ_AS } from "../http/administrator.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { logNotPersisted } from "../store/log-not-persisted.ts";
import type { ProvenAccount, TokenProver } from "../upstream/tokens.ts";
import { type CloseReason, closeReason } from "./close-reason.ts";
import type { Session, TransportConnection } from "./connection.ts";
import type { GatewayContext } from "./context.ts";
import { createDelivery } from "./delivery.ts";
import { displayBearer, identify } from "./identity.ts";
import { outgoing } from "./outgoing.ts";
import { lostStream, type Refusal } from "./refused-stream.ts";
import { isTooSlow, nextDeadline, type SessionTimes, tokenIsOver } from "./session-deadlines.ts";
import type { Registration, SessionRegistry } from "./session-registry.ts";
import type { Live, State } from "./session-state.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { beatMessage, linkMessage, welcomeMessage } from "./welcome.ts";

/** Ends that may be temporary: the same request can succeed later. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(["upstream-down", "store-down", "too-many-requests"]);

/** Create the session behind both transports: what it sends when, and when it ends (HS, AUTH, LIVE rules). */
export function createSession(
  context: GatewayContext,
  registry: SessionRegistry,
  snapshots: SnapshotCache,
  connection: TransportConnection,
): Session {
  const { audit, clock, displays, limits, log, prover, owners, metrics, timers } = context;
  const id = randomUUID();
  const openedAt = clock.monotonic();
  const tally = metrics.tally(connection.transport);
  const delivery = createDelivery(connection, clock, limits, tally);
  const rate = createRateLimit(clock, limits.messageWindowMs);
  let state: State = { kind: "awaiting-hello" };
  let registration: Registration | undefined;
  /** The newest token of the farm API that was accepted. */
  let bears: string | undefined;
  let heardAt = openedAt;
  let markedAt = openedAt;
  let badMessages = 0;
  let isOpen = true;
  /** Notes that a display has disconnected. */
  let leave = (): void => undefined;
  let timer = timers.after(limits.helloMs, wake);

  function sendError(code: ErrorCode, message: string, temporary: boolean, ref?: string): void {
    delivery.send(outgoing({ t: "error", code, message, temporary, ...(ref !== undefined && { ref }) }));
  }

  function refuse(refusal: Refusal | null, ref: string): void {
    if (refusal) sendError(refusal.code, refusal.message, refusal.temporary, ref);
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
    if (error) sendError(error, reason, TEMPORARY.has(error));
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
    const who = await identify(token, prover, displays);
    if (state !== proving) return;
    if (!who.ok) {
      end(who.last);
      return;
    }
    const { proven, display } = who;
    registration = registry.register(session, display ? displayBearer(display.id) : token, proven.accountId);
    if (!registration) {
      end(closeReason.tooMany);
      return;
    }
    if (!display) bears = token;
    else if (displays.stands(display)) leave = displays.attend(display);
    else {
      end(closeReason.displayChanged);
      return;
    }
    delivery.send(welcomeMessage(context, id, proven));
    delivery.send(linkMessage(context.link.state));
    rearm();
    const viewer = await (display ? displays.view(display) : owners.view(proven, token));
    if (state !== proving) {
      // The connection ended while the account's state was read.
      viewer.release();
      return;
    }
    const subscriptions = createSubscriptions({
      ...{ viewer, owners, delivery, snapshots, clock, limits, metrics, token },
      ...(display?.mayFleet && { viewFleet: () => displays.fleet(display) }),
      accountId: proven.accountId,
      isAdmin: isAdministrator(proven),
      onReadAs(account, stream) {
        log.info(
          { event: "read-as", audit: "read-as", admin: proven.accountId, account, stream, session: id },
          READ_AS,
        );
        audit.readAs(proven.account, account);
      },
      onLost(stream, error) {
        if (error !== undefined)
          log.debug({ event: "stream-not-opened", err: error, session: id, stream }, "cannot open stream");
        refuse(lostStream(error), "subscribe");
      },
    });
    const tokenEnds = display ? Number.POSITIVE_INFINITY : tokenEndOf(proven);
    state = { kind: "live", proven, viewer, subscriptions, display, tokenEnds };
    rearm();
    for (const message of proving.waiting) handle(message);
  }

  /** AUTH-1: accept a fresh token on the same connection. The old one counts until the new one is proven. */
  async function renew(live: Live, token: string): Promise<void> {
    if (live.display !== null || isDisplayToken(token)) {
      const who = await identify(token, prover, displays);
      if (state !== live) return;
      if (!who.ok) end(who.last);
      // A display's own token may be renewed; no other may replace it.
      else if (who.display === null || who.display.id !== live.display?.id) end(closeReason.otherAccount);
      return;
    }
    const proof = await prover.prove(token);
    if (state !== live) return;
    if (!proof.ok) {
      const { kind } = proof.failure;
      const isDown = kind === "upstream-down";
      if (kind === "disabled") end(closeReason.disabled);
      else sendError(isDown ? "upstream-down" : "token-expired", "token not accepted", isDown, "auth");
    } else if (proof.proven.accountId !== live.proven.accountId) {
      end(closeReason.otherAccount);
    } else {
      registration?.changeToken(token);
      bears = token;
      live.tokenEnds = tokenEndOf(proof.proven);
      live.viewer.renew(token);
      live.subscriptions.renew(token, isAdministrator(proof.proven));
      rearm();
    }
  }

  /**
   * AUTH-4: prove the token. If the API cannot be reached, an accepted session stays until its token ends.
   */
  async function ask(prove: TokenProver["prove"]): Promise<void> {
    if (bears === undefined || state.kind === "closing") return;
    const token = bears;
    const proof = await prove(token);
    if (proof.ok || bears !== token) return;
    if (proof.failure.kind === "rejected") end(closeReason.revoked);
    else if (proof.failure.kind === "disabled") end(closeReason.disabled);
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
      case "subscribe":
        live.subscriptions.active();
        refuse(live.subscriptions.subscribe(message), message.t);
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
      logNotPersisted(
        log,
        "warn",
        { event: "session-failed", err: error, session: id },
        "cannot serve session",
      );
      end(error instanceof StoreUnavailableError ? closeReason.storeDown : closeReason.upstreamDown);
    });
  }

  const times = (): SessionTimes => ({
    sentAt: delivery.sentAt(),
    markedAt,
    heardAt,
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
    } else if (now - heardAt >= limits.silentMs) {
      connection.terminate();
    } else {
      if (now - markedAt >= limits.pingMs) {
        markedAt = now;
        delivery.mark();
      }
      // POLL-1: a wall display has no user activity, but always counts as watched.
      if (state.kind === "live" && state.display) state.subscriptions.active();
      if (now - delivery.sentAt() >= limits.beatMs) delivery.send(beatMessage(clock.now()));
      rearm();
    }
  }

  /**
   * Count a message.
   * @returns false for one too many, or too late
   */
  function admit(): boolean {
    heardAt = clock.monotonic();
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
      heardAt = clock.monotonic();
      if (state.kind !== "closing") delivery.confirmed(marker);
    },
    noteActivity() {
      heardAt = clock.monotonic();
    },
    closed() {
      if (!isOpen) return;
      isOpen = false;
      if (state.kind !== "closing") metrics.sessionEnded(connection.transport, 1000);
      release();
      registry.remove(session);
      tally.sessions -= 1;
    },
    prove: () => ask(prover.prove),
    proveAgain: () => ask(prover.proveAgain),
    end,
    link(message) {
      if (registration) delivery.send(message);
    },
  };
  registry.add(session);
  tally.sessions += 1;
  return session;
}

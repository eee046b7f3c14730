// Long because one table of states, told in one place, is what both doors and all tests go by.
import { randomUUID } from "node:crypto";
import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import type { ErrorCode } from "@mulkko/shared/rest/errors";
import { parse } from "@mulkko/shared/schema/parse";
import { createMessageRate } from "../core/message-rate.ts";
import { isDisplayToken } from "../displays/codes.ts";
import type { ProvenAccount } from "../ports/tokens.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { logUnkept } from "../store/log-unkept.ts";
import { isAdministrator, READ_AS } from "./administrator.ts";
import type { GatewayContext } from "./context.ts";
import { createDelivery } from "./delivery.ts";
import { type Farewell, farewell } from "./farewell.ts";
import { beatMessage, linkMessage, welcomeMessage } from "./greeting.ts";
import { displayBearer, identify } from "./identity.ts";
import { outgoing } from "./outgoing.ts";
import { lostStream, type Refusal } from "./refused-stream.ts";
import { isTooSlow, nextDeadline, type SessionTimes, tokenIsOver } from "./session-deadlines.ts";
import type { Registration, SessionRegistry } from "./session-registry.ts";
import type { Live, State } from "./session-state.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import { createSubscriptions } from "./subscriptions.ts";
import type { Session, Wire } from "./wire.ts";

/** Ends that are over when the same is tried later. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(["upstream-down", "store-down", "too-many-requests"]);

/** The session behind both doors: what is said when, and when it ends (HS, AUTH, LIVE rules). */
export function createSession(
  context: GatewayContext,
  registry: SessionRegistry,
  snapshots: SnapshotCache,
  wire: Wire,
): Session {
  const { audit, clock, displays, limits, log, prover, owners, metrics, timers } = context;
  const id = randomUUID();
  const openedAt = clock.monotonic();
  const tally = metrics.tally(wire.door);
  const delivery = createDelivery(wire, clock, limits, tally);
  const rate = createMessageRate(limits.messagesPerWindow, limits.messageWindowMs);
  let state: State = { kind: "awaiting-hello" };
  let registration: Registration | undefined;
  /** The newest token of the farm API that was accepted. */
  let bears: string | undefined;
  let heardAt = openedAt;
  let markedAt = openedAt;
  let badMessages = 0;
  let isOpen = true;
  /** Says that a display is no longer here. */
  let leave = (): void => undefined;
  let alarm = timers.after(limits.helloMs, wake);

  function sendError(code: ErrorCode, message: string, temporary: boolean, ref?: string): void {
    delivery.send(outgoing({ t: "error", code, message, temporary, ...(ref !== undefined && { ref }) }));
  }

  function refuse(refusal: Refusal | null, ref: string): void {
    if (refusal) sendError(refusal.code, refusal.message, refusal.temporary, ref);
  }

  /** HS-5: says what was wrong; the tenth time the connection ends. */
  function bad(code: ErrorCode, message: string, ref?: string): void {
    badMessages += 1;
    sendError(code, message, code === "too-many-requests", ref);
    if (badMessages >= limits.badMessages) end(farewell.badMessages);
  }

  function release(): void {
    alarm.cancel();
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

  function end(last: Farewell): void {
    if (state.kind === "closing") return;
    const { code, reason, retryAfterMs, error } = last;
    if (error) sendError(error, reason, TEMPORARY.has(error));
    delivery.send(outgoing({ t: "bye", code, reason, retryAfterMs }));
    release();
    metrics.sessionEnded(wire.door, code);
    // Before the close, in which Socket.IO says at once that the connection is gone: nothing is left over then.
    alarm = timers.after(limits.partingMs, wire.terminate);
    wire.close(code, reason);
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
      end(farewell.tooMany);
      return;
    }
    if (!display) bears = token;
    else if (displays.stands(display)) leave = displays.attend(display);
    else {
      end(farewell.displayChanged);
      return;
    }
    delivery.send(welcomeMessage(context, id, proven));
    delivery.send(linkMessage(context.link.state));
    rearm();
    const viewer = await (display ? displays.view(display) : owners.view(proven, token));
    if (state !== proving) {
      // The connection has gone while the account's state was read.
      viewer.release();
      return;
    }
    const subscriptions = createSubscriptions({
      ...{ viewer, owners, delivery, snapshots, clock, limits, metrics, token },
      ...(display?.mayFleet && { viewFleet: () => displays.fleet(display) }),
      accountId: proven.accountId,
      isAdmin: isAdministrator(proven),
      onReadAs(account, stream) {
        log.info({ audit: "read-as", admin: proven.accountId, account, stream, session: id }, READ_AS);
        audit.readAs(proven.account, account);
      },
      onLost(stream, error) {
        if (error !== undefined) log.debug({ err: error, session: id, stream }, "a stream could not be had");
        refuse(lostStream(error), "subscribe");
      },
    });
    const tokenEnds = display ? Number.POSITIVE_INFINITY : tokenEndOf(proven);
    state = { kind: "live", proven, viewer, subscriptions, display, tokenEnds };
    rearm();
    for (const message of proving.waiting) handle(message);
  }

  /** AUTH-1: a fresh token on the same connection; the old one counts until the new one is proven. */
  async function renew(live: Live, token: string): Promise<void> {
    if (live.display !== null || isDisplayToken(token)) {
      const who = await identify(token, prover, displays);
      if (state !== live) return;
      if (!who.ok) end(who.last);
      // A display's own token goes on; no other may take its place.
      else if (who.display === null || who.display.id !== live.display?.id) end(farewell.otherAccount);
      return;
    }
    const proof = await prover.prove(token);
    if (state !== live) return;
    if (!proof.ok) {
      const { kind } = proof.failure;
      const isDown = kind === "upstream-down";
      if (kind === "disabled") end(farewell.disabled);
      else sendError(isDown ? "upstream-down" : "token-expired", "token not accepted", isDown, "auth");
    } else if (proof.proven.accountId !== live.proven.accountId) {
      end(farewell.otherAccount);
    } else {
      registration?.changeToken(token);
      bears = token;
      live.tokenEnds = tokenEndOf(proof.proven);
      live.viewer.renew(token);
      live.subscriptions.renew(token, isAdministrator(proof.proven));
      rearm();
    }
  }

  /** AUTH-4: where the API cannot be asked, a session that was accepted stays until its token ends. */
  async function proveAgain(): Promise<void> {
    if (bears === undefined || state.kind === "closing") return;
    const token = bears;
    const proof = await prover.proveAgain(token);
    if (proof.ok || bears !== token) return;
    if (proof.failure.kind === "rejected") end(farewell.revoked);
    else if (proof.failure.kind === "disabled") end(farewell.disabled);
  }

  function handle(message: ClientMessage): void {
    switch (state.kind) {
      case "closing":
        break;
      case "awaiting-hello":
        if (message.t !== "hello") bad("bad-message", "say hello first", message.t);
        else if (message.protocol !== PROTOCOL) end(farewell.unknownProtocol);
        else background(hello(message.token));
        break;
      case "proving":
        if (message.t === "hello") bad("bad-message", "hello was said already", message.t);
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
        bad("bad-message", "hello was said already", message.t);
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

  /** What fails here is the relay's way to the farm API, or to its own store; the client comes back by itself. */
  function background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      logUnkept(log, "warn", { err: error, session: id }, "session could not be served");
      end(error instanceof StoreUnavailableError ? farewell.storeDown : farewell.upstreamDown);
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
    alarm.cancel();
    alarm = timers.after(Math.max(1, nextDeadline(times(), limits) - clock.monotonic()), wake);
  }

  /** Why the session has to end now; null: it has not. */
  function ending(now: number): Farewell | null {
    if (state.kind === "awaiting-hello") return farewell.noHello;
    if (tokenIsOver(now, times(), limits)) return farewell.tokenEnded;
    return isTooSlow(now, times(), limits) ? farewell.tooSlow : null;
  }

  /** The session's one timer: goes off at the deadline that was nearest when it was set. */
  function wake(): void {
    const now = clock.monotonic();
    const last = ending(now);
    if (last) {
      end(last);
    } else if (now - heardAt >= limits.silentMs) {
      wire.terminate();
    } else {
      if (now - markedAt >= limits.pingMs) {
        markedAt = now;
        delivery.mark();
      }
      // POLL-1: nobody sits at a wall, and somebody always looks at it.
      if (state.kind === "live" && state.display) state.subscriptions.active();
      if (now - delivery.sentAt() >= limits.beatMs) delivery.send(beatMessage(clock.now()));
      rearm();
    }
  }

  /** @returns false for a message that is one too many, or too late */
  function admit(): boolean {
    heardAt = clock.monotonic();
    if (state.kind === "closing") return false;
    if (rate.admit(heardAt)) return true;
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
    heard() {
      heardAt = clock.monotonic();
    },
    closed() {
      if (!isOpen) return;
      isOpen = false;
      if (state.kind !== "closing") metrics.sessionEnded(wire.door, 1000);
      release();
      registry.remove(session);
      tally.sessions -= 1;
    },
    proveAgain,
    end,
    link(message) {
      if (registration) delivery.send(message);
    },
  };
  registry.add(session);
  tally.sessions += 1;
  return session;
}

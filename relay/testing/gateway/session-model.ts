import { ClientMessage } from "@mulkko/shared/live/client-messages";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { parse } from "@mulkko/shared/schema/parse";
import { TOKENS } from "./any-frame.ts";

/**
 * A message that the model expects from the session itself, besides the streams: in this order, and no other.
 */
export type Expected =
  | { readonly t: "welcome" | "link" }
  | { readonly t: "error"; readonly code: string; readonly ref?: string }
  | { readonly t: "bye"; readonly code: number };

/**
 * A model of a session as docs/dev/protocol.md describes it (HS, AUTH, SUB-7), without streams and bytes. It
 * is the smallest thing that predicts the due answers. It uses the schemas and the limits, but none of the
 * relay's code.
 */
export interface SessionModel {
  readonly stage: "awaiting-hello" | "proving" | "live" | "ended";
  /** Return the messages due since the last call. */
  drain(): Expected[];
  say(message: unknown, now: number): void;
  garbage(now: number): void;
  ping(now: number): void;
  /** Handle the echo of a marker, sent or never sent. */
  received(now: number): void;
  /** Complete the pending proofs of tokens. */
  settle(now: number): void;
  /**
   * Advance the time to `now`.
   * @param slowBy when a marker will have been unconfirmed for too long; infinite without one
   * @returns true if the connection is cut by then, without a message
   */
  passed(now: number, slowBy: number): boolean;
}

/** Monotonic ms at which each token of account `a` ends. */
export type TokenEnds = ReadonlyMap<string, number>;

const TRACK_EVERY_MS = 1_000;

export function createSessionModel(openedAt: number, tokenEnds: TokenEnds): SessionModel {
  let stage: SessionModel["stage"] = "awaiting-hello";
  let due: Expected[] = [];
  let windowAt = Number.NEGATIVE_INFINITY;
  let inWindow = 0;
  let bad = 0;
  let heardAt = openedAt;
  let trackedAt = Number.NEGATIVE_INFINITY;
  let endsAt = Number.POSITIVE_INFINITY;
  let helloToken = "";
  let waiting: ClientMessage[] = [];
  let renewals: string[] = [];

  const end = (code: number, error?: string): void => {
    if (error !== undefined) due.push({ t: "error", code: error });
    due.push({ t: "bye", code });
    stage = "ended";
  };
  const complain = (code: string, ref?: string): void => {
    bad += 1;
    due.push({ t: "error", code, ...(ref !== undefined && { ref }) });
    if (bad >= LIVE_LIMITS.badMessages) end(4400);
  };
  /**
   * HS-5: count a message.
   * @returns false for a message that is ignored
   */
  const admit = (now: number): boolean => {
    heardAt = now;
    if (stage === "ended") return false;
    if (now - windowAt >= LIVE_LIMITS.messageWindowMs) {
      windowAt = now;
      inWindow = 0;
    }
    inWindow += 1;
    if (inWindow <= LIVE_LIMITS.messagesPerWindow) return true;
    complain("too-many-requests");
    return false;
  };
  const live = (message: ClientMessage, now: number): void => {
    if (message.t === "hello") complain("bad-message", "hello");
    if (message.t === "auth") renewals.push(message.token);
    if (message.t !== "subscribe" || message.stream !== "devices" || message.track === undefined) return;
    if (now - trackedAt < TRACK_EVERY_MS)
      due.push({ t: "error", code: "too-many-requests", ref: "subscribe" });
    else trackedAt = now;
  };
  const handle = (message: ClientMessage, now: number): void => {
    if (stage === "live") live(message, now);
    else if (stage === "proving") {
      if (message.t === "hello") complain("bad-message", "hello");
      else waiting.push(message);
    } else if (stage === "awaiting-hello") {
      if (message.t !== "hello") complain("bad-message", message.t);
      else if (message.protocol !== 1) end(4505, "unknown-protocol");
      else {
        stage = "proving";
        helloToken = message.token;
      }
    }
  };
  const enter = (now: number): void => {
    const isMine = tokenEnds.has(helloToken);
    if (!isMine && helloToken !== TOKENS.foreign) {
      end(4401, "token-expired");
      return;
    }
    stage = "live";
    due.push({ t: "welcome" }, { t: "link" });
    endsAt = tokenEnds.get(helloToken) ?? Number.POSITIVE_INFINITY;
    for (const message of waiting) live(message, now);
    waiting = [];
  };
  const renew = (token: string): void => {
    if (stage !== "live") return;
    const isMine = tokenEnds.has(token);
    const isAnybodys = isMine || token === TOKENS.foreign;
    const isSame = isMine === tokenEnds.has(helloToken);
    if (!isAnybodys) due.push({ t: "error", code: "token-expired", ref: "auth" });
    else if (!isSame) end(4401);
    else endsAt = tokenEnds.get(token) ?? Number.POSITIVE_INFINITY;
  };

  return {
    get stage() {
      return stage;
    },
    drain() {
      const taken = due;
      due = [];
      return taken;
    },
    say(message, now) {
      if (!admit(now)) return;
      const parsed = parse(ClientMessage, message);
      if (parsed.ok) handle(parsed.value, now);
      else complain("bad-message");
    },
    garbage(now) {
      if (admit(now)) complain("bad-message");
    },
    ping: (now) => void admit(now),
    received(now) {
      heardAt = now;
    },
    settle(now) {
      if (stage === "proving") enter(now);
      const asked = renewals;
      renewals = [];
      for (const token of asked) renew(token);
    },
    passed(now, slowBy) {
      const helloBy = openedAt + LIVE_LIMITS.helloMs;
      if (stage === "awaiting-hello" && now >= helloBy) end(4401);
      if (stage !== "live") return false;
      const silentBy = heardAt + LIVE_LIMITS.silentMs;
      const tokenBy = endsAt + LIVE_LIMITS.tokenGraceMs;
      const first = Math.min(silentBy, tokenBy, slowBy);
      if (now < first) return false;
      if (tokenBy === first) end(4401);
      else if (slowBy === first) end(4008);
      else stage = "ended";
      return stage === "ended" && due.length === 0;
    },
  };
}

import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import type { TokenCipher } from "../access/vault.ts";
import type { Log } from "../runtime/log.ts";
import { type MethodsOf, mapMethods, type OwnerCalls } from "../runtime/owner-call.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { shardOf } from "../store/shard.ts";
import type { Store } from "../store/store.ts";
import { NoAccessError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { readReply, sentCall } from "./call-wire.ts";
import { type Answer, type Failure, NodeMessage, type Notice, type SentCall } from "./messages.ts";

/** The other nodes, as far as they own accounts. Tokens are sent to them encrypted. */
export interface Peers extends TokenCipher {
  /** True if this node owns the account. */
  isHere(accountId: string): boolean;
  /** Send work that needs no answer to the account's owner; a failure is only logged. */
  tell(accountId: string, work: Notice): void;
  /**
   * Return the methods of an account's owner on another node. A call is repeated until an answer comes, because a
   * shard may be changing hands; so it must be idempotent. Rejects as the owner does, with an `UpstreamError`;
   * unreachable without an answer in time.
   */
  methods<Calls extends OwnerCalls>(calls: Calls, accountId: string): MethodsOf<Calls>;
  close(): void;
}

/** ms after which a call without an answer is repeated. */
const AGAIN_MS = 1_500;
/** Callers that wait for other nodes at the same time. */
const WAITING_AT_MOST = 20_000;

export interface PeersDeps {
  readonly store: Pick<Store, "inbox" | "node" | "shards">;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly newId: () => string;
}

const noAnswer = (): UpstreamUnreachableError =>
  new UpstreamUnreachableError("no answer from the account's owner", "timeout", { mayHaveExecuted: false });

function errorOf({ kind, message }: Failure): Error {
  switch (kind) {
    case "no-access":
      return new NoAccessError(message);
    case "upstream-down":
      return new UpstreamUnreachableError(message, "connection", { mayHaveExecuted: false });
    case "store-down":
      return new StoreUnavailableError(message);
    case "failed":
      return new Error(message);
  }
}

export function createPeers(deps: PeersDeps): Peers {
  const { store, cipher, clock, timers, log, newId } = deps;
  const { inbox, node } = store;
  const waiting = new Map<string, (answer: Answer) => void>();

  const stop = node.onMessage((message) => {
    const parsed = parse(NodeMessage, message);
    if (!parsed.ok)
      log.warn(
        { event: "node-message-unreadable", at: parsed.path },
        "cannot read message from another node",
      );
    else if (parsed.value.kind === "answer") waiting.get(parsed.value.id)?.(parsed.value);
  });

  const answerTo = (accountId: string, call: SentCall, withinMs: number): Promise<Answer> => {
    if (waiting.size >= WAITING_AT_MOST) return Promise.reject(noAnswer());
    const id = newId();
    const ends = clock.monotonic() + withinMs;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    let timer: { cancel(): void } | undefined;
    const say = (): void => {
      const left = ends - clock.monotonic();
      if (left <= 0) {
        reject(noAnswer());
        return;
      }
      timer = timers.after(Math.min(AGAIN_MS, left), say);
      inbox
        .send(accountId, { kind: "call", id, node: node.id, call })
        .catch((error: unknown) =>
          log.debug({ event: "node-call-not-sent", err: error }, "cannot send call to another node"),
        );
    };
    waiting.set(id, resolve);
    say();
    return promise.finally(() => {
      timer?.cancel();
      waiting.delete(id);
    });
  };

  return {
    encrypt: cipher.encrypt,
    open: cipher.open,
    isHere: (accountId) => store.shards.owns(shardOf(accountId)),
    tell(accountId, work) {
      inbox
        .send(accountId, work)
        .catch((error: unknown) =>
          log.debug(
            { event: "node-work-not-sent", err: error, kind: work.kind },
            "cannot send work to another node",
          ),
        );
    },
    methods: <Calls extends OwnerCalls>(calls: Calls, accountId: string) =>
      mapMethods(calls, (call) => async (request) => {
        const { sent, withinMs } = sentCall(call, request, cipher);
        const answer = await answerTo(accountId, sent, withinMs);
        if (answer.failure) throw errorOf(answer.failure);
        return readReply(call, answer.value ?? null, cipher);
      }),
    close() {
      stop();
      for (const [id, give] of waiting) {
        give({
          kind: "answer",
          id,
          failure: { kind: "upstream-down", message: "the relay is shutting down" },
        });
      }
    },
  };
}

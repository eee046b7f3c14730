import { createHash } from "node:crypto";
import { Account } from "@mulkko/shared/entities/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { isDisplayToken } from "../displays/codes.ts";
import { FLEET } from "../fleet/fleet-id.ts";
import type { ProofFailure, ProvenAccount, TokenProver } from "../ports/tokens.ts";
import type { ProofStore } from "../store/store.ts";
import { createListeners } from "../streams/listeners.ts";
import { accountOf } from "./account-of.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamStatusError } from "./errors.ts";
import { jwtExpiry } from "./jwt-expiry.ts";

type Proof = Awaited<ReturnType<TokenProver["prove"]>>;

/** AUTH-1: ms that a token without an end of its own is good for, from first sight. */
const WITHOUT_EXPIRY_MS = 1_800_000;
/** AUTH-3: ms that a proof is remembered at most. */
const REMEMBERED_MS = 1_800_000;
const REMEMBERED_AT_MOST = 20_000;

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** A proof as it is kept for all nodes, under the token's hash. */
export const KeptProof = Type.Object({ account: Account, expiresAt: Type.Number(), until: Type.Number() });

/**
 * Proves tokens by one `account/info` each; remembers them by hash, here and in the store for other nodes, and
 * shares the call (AUTH-3).
 */
export function createTokenProver(parts: {
  client: UpstreamClient;
  clock: Clock;
  proofs: ProofStore;
  onError: (error: unknown) => void;
}): TokenProver {
  const { client, clock, proofs, onError } = parts;
  const proven = new Map<string, { proof: Extract<Proof, { ok: true }>; until: number }>();
  const underWay = new Map<string, Promise<Proof>>();
  const rejected = createListeners<string>(onError);
  const doubted = createListeners<string>(onError);
  /** Counts doubts: what the API said before one is remembered no more after it. */
  let doubts = 0;

  /** @param until ms UTC, up to when the proof itself is good */
  const remember = (hash: string, account: ProvenAccount, until: number): Proof => {
    const proof = { ok: true, proven: account } as const;
    const oldest = proven.keys().next().value;
    if (proven.size >= REMEMBERED_AT_MOST && oldest !== undefined) proven.delete(oldest);
    proven.set(hash, { proof, until });
    return proof;
  };

  /** What another node has proven, or this one before it was restarted. */
  const keptOf = async (hash: string): Promise<Proof | null> => {
    try {
      const kept = parse(KeptProof, await proofs.get(hash));
      if (!kept.ok || kept.value.until <= clock.now()) return null;
      const { account, expiresAt, until } = kept.value;
      return remember(hash, { account, accountId: String(account.id), expiresAt }, until);
    } catch (error) {
      // Without the store the API is asked, as for any token that is seen first.
      onError(error);
      return null;
    }
  };
  const ask = async (token: string, hash: string): Promise<Proof> => {
    const expiresAt = jwtExpiry(token) ?? clock.now() + WITHOUT_EXPIRY_MS;
    if (expiresAt <= clock.now()) return { ok: false, failure: { kind: "rejected" } };
    const before = doubts;
    try {
      const account = await accountOf(client, token);
      // The fleet's place in the store is nobody's account.
      if (String(account.id) === FLEET) return { ok: false, failure: { kind: "rejected" } };
      if (doubts !== before) {
        return { ok: true, proven: { account, accountId: String(account.id), expiresAt } };
      }
      const until = Math.min(expiresAt, clock.now() + REMEMBERED_MS);
      proofs.put(hash, { account, expiresAt, until }, until).catch(onError);
      return remember(hash, { account, accountId: String(account.id), expiresAt }, until);
    } catch (error) {
      return { ok: false, failure: failureOf(error) };
    }
  };

  const shared = (key: string, begin: () => Promise<Proof>): Promise<Proof> => {
    const running = underWay.get(key);
    if (running) return running;
    const proof = begin().finally(() => underWay.delete(key));
    underWay.set(key, proof);
    return proof;
  };
  const forget = (hash: string): void => {
    proven.delete(hash);
    proofs.drop(hash).catch(onError);
  };

  return {
    prove(token) {
      // HS-2: a display opens only what asks for one; nobody else's routes believe it, and the API never sees it.
      if (isDisplayToken(token)) return Promise.resolve({ ok: false, failure: { kind: "rejected" } });
      const hash = hashOf(token);
      const known = proven.get(hash);
      if (known && known.until > clock.now()) return Promise.resolve(known.proof);
      proven.delete(hash);
      return shared(hash, async () => (await keptOf(hash)) ?? ask(token, hash));
    },
    proveAgain(token) {
      const hash = hashOf(token);
      // Not shared with a proof that was begun before the doubt.
      return shared(`${hash} again ${doubts}`, () => {
        forget(hash);
        return ask(token, hash);
      });
    },
    reject(token) {
      forget(hashOf(token));
      rejected.call(token);
    },
    onRejected: rejected.add,
    doubt(accountId) {
      doubts += 1;
      for (const [hash, { proof }] of proven) if (proof.proven.accountId === accountId) forget(hash);
      doubted.call(accountId);
    },
    onDoubted: doubted.add,
  };
}

function failureOf(error: unknown): ProofFailure {
  if (error instanceof UpstreamStatusError && error.status === 401) return { kind: "rejected" };
  if (error instanceof UpstreamStatusError && error.status === 403) return { kind: "disabled" };
  return { kind: "upstream-down" };
}

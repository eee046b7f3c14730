import { createHash } from "node:crypto";
import { Account } from "@mulkko/shared/entities/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";
import Type from "typebox";
import type { PassingCollection } from "../store/collections.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import { FLEET } from "../store/shard.ts";
import type { PassingDocuments } from "../store/store.ts";
import { createListeners } from "../store/streams/listeners.ts";
import type { UpstreamClient } from "./client.ts";
import { UpstreamStatusError } from "./errors.ts";
import { tokenEnd } from "./token-end.ts";
import { accountOf, type ProofFailure, type TokenProver } from "./tokens.ts";
import type { UpstreamClock } from "./upstream-clock.ts";

type Proof = Awaited<ReturnType<TokenProver["prove"]>>;

/** AUTH-3: maximum age of a cached proof, ms. */
const REMEMBERED_MS = 1_800_000;
/** AUTH-3: age in ms after which a proof is repeated if the API does not report ended tokens. */
export const BELIEVED_MS = 60_000;
const REMEMBERED_AT_MOST = 20_000;
/** Time-out of the API's answer about a token that it has accepted before, ms. */
const ASK_AGAIN_WITHIN_MS = 2_000;

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** A proof as stored for all nodes, under the token's hash. */
export const CachedProof = Type.Object({
  account: Account,
  expiresAt: Type.Number(),
  until: Type.Number(),
  /** ms UTC; absent if an older version stored it */
  provenAt: Type.Optional(Type.Number()),
});

/** Tokens that the API has accepted, by hash (AUTH-3). */
export const PROOFS = {
  ...{ name: "proof", value: CachedProof, atMost: REMEMBERED_AT_MOST },
} as const satisfies PassingCollection;

interface Remembered {
  readonly proof: Extract<Proof, { ok: true }>;
  /** ms UTC until which the proof itself is valid */
  readonly until: number;
  /** ms UTC */
  readonly provenAt: number;
}

/**
 * Prove tokens by `account/info`. Proofs are cached by hash, here and in the store for other nodes, and
 * concurrent callers share one call (AUTH-3).
 *
 * @param deps.receivesSessionEnds true while the API reports accounts whose tokens may have ended
 * @param deps.reachable false while the API is known to be unavailable: cached proofs count until it is
 * back
 */
export function createTokenProver(deps: {
  client: UpstreamClient;
  clock: Clock;
  upstreamClock: Pick<UpstreamClock, "offsetMs">;
  proofs: PassingDocuments<typeof CachedProof>;
  receivesSessionEnds: () => boolean;
  reachable: () => boolean;
  onError: (error: unknown) => void;
}): TokenProver {
  const { client, clock, upstreamClock, proofs, receivesSessionEnds, reachable, onError } = deps;
  const proven = new LRUCache<string, Remembered>({ max: REMEMBERED_AT_MOST });
  const underWay = new Map<string, Promise<Proof>>();
  const rejected = createListeners<string>(onError);
  const doubted = createListeners<string>(onError);
  /** Counter of doubts: an answer requested before a doubt is not cached after it. */
  let doubts = 0;

  /** Time of each account's last doubt, ms UTC, oldest first: another node's earlier proof is not trusted. */
  const doubtedAt = new Map<string, number>();
  /** ms UTC; earlier doubts were evicted, so no earlier proof is trusted. */
  let forgottenBefore = 0;

  const remember = (hash: string, entry: Remembered): Remembered => {
    proven.set(hash, entry);
    return entry;
  };
  const rememberedOf = (hash: string): Remembered | undefined => {
    const known = proven.get(hash);
    if (known && known.until > clock.now()) return known;
    proven.delete(hash);
    return undefined;
  };
  const isFresh = ({ provenAt }: Remembered): boolean => {
    if (receivesSessionEnds()) return true;
    const age = clock.now() - provenAt;
    // Of the future: the clock was set back, and the age is unknown.
    return age >= 0 && age < BELIEVED_MS;
  };
  const noteDoubt = (accountId: string): void => {
    const now = clock.now();
    doubtedAt.delete(accountId);
    doubtedAt.set(accountId, now);
    for (const [id, at] of doubtedAt) {
      const isOver = at < now - REMEMBERED_MS;
      if (!isOver && doubtedAt.size <= REMEMBERED_AT_MOST) break;
      if (!isOver) forgottenBefore = at;
      doubtedAt.delete(id);
    }
  };

  /** Return the proof of another node, or of this one before its restart. */
  const cachedOf = async (hash: string): Promise<Remembered | undefined> => {
    try {
      const kept = await proofs.get(hash);
      if (!kept?.ok || kept.value.until <= clock.now()) return undefined;
      const { account, expiresAt, until, provenAt = 0 } = kept.value;
      const accountId = String(account.id);
      if (provenAt <= Math.max(forgottenBefore, doubtedAt.get(accountId) ?? 0)) return undefined;
      const proof = { ok: true, proven: { account, accountId, expiresAt } } as const;
      return remember(hash, { proof, until, provenAt });
    } catch (error) {
      // Without the store the API is asked, as for any new token.
      onError(error);
      return undefined;
    }
  };
  /** @param otherwise the proof to use if the API cannot be asked */
  const ask = async (token: string, hash: string, otherwise: Remembered | undefined): Promise<Proof> => {
    const expiresAt = tokenEnd(token, clock, upstreamClock);
    if (expiresAt <= clock.now()) return { ok: false, failure: { kind: "rejected" } };
    const before = doubts;
    try {
      const account = await accountOf(client, token, otherwise && ASK_AGAIN_WITHIN_MS);
      const accountId = String(account.id);
      // The fleet's key in the store belongs to no account.
      if (accountId === FLEET) return { ok: false, failure: { kind: "rejected" } };
      const proof = { ok: true, proven: { account, accountId, expiresAt } } as const;
      if (doubts !== before) return proof;
      const provenAt = clock.now();
      const until = Math.min(expiresAt, provenAt + REMEMBERED_MS);
      proofs.put(hash, { account, expiresAt, until, provenAt }, until).catch(onError);
      return remember(hash, { proof, until, provenAt }).proof;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === "upstream-down") {
        return otherwise && doubts === before ? otherwise.proof : { ok: false, failure };
      }
      const wasAccepted = proven.has(hash);
      forget(hash);
      if (wasAccepted && failure.kind === "rejected") rejected.call(token);
      return { ok: false, failure };
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
      // HS-2: a display token is accepted only by routes for displays, and is never sent to the API.
      if (isDisplayToken(token)) return Promise.resolve({ ok: false, failure: { kind: "rejected" } });
      const hash = hashOf(token);
      const known = rememberedOf(hash);
      if (known && (isFresh(known) || !reachable())) return Promise.resolve(known.proof);
      return shared(hash, async () => {
        const kept = known ?? (await cachedOf(hash));
        return kept && isFresh(kept) ? kept.proof : ask(token, hash, kept);
      });
    },
    proveAgain(token, orRemembered = false) {
      const hash = hashOf(token);
      const known = orRemembered ? rememberedOf(hash) : undefined;
      if (known && !reachable()) return Promise.resolve(known.proof);
      // Do not share a proof that was started before the doubt.
      return shared(`${hash} again ${doubts} ${orRemembered}`, () => ask(token, hash, known));
    },
    reject(token) {
      forget(hashOf(token));
      rejected.call(token);
    },
    onRejected: rejected.add,
    doubt(accountId) {
      doubts += 1;
      noteDoubt(accountId);
      for (const [hash, { proof }] of [...proven]) if (proof.proven.accountId === accountId) forget(hash);
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

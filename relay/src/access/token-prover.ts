import { createHash } from "node:crypto";
import { Account } from "@mulkko/shared/entities/account";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import { LRUCache } from "lru-cache";
import Type from "typebox";
import type { PassingCollection } from "../store/collections.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import { FLEET } from "../store/shard.ts";
import type { PassingDocuments } from "../store/store.ts";
import { createListeners } from "../store/streams/listeners.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import { tokenEnd } from "./token-end.ts";

/** An account whose token the farm API has accepted. */
export interface ProvenAccount {
  readonly account: Account;
  readonly accountId: string;
  /** End of the token, ms UTC. */
  readonly expiresAt: number;
}

/** Reason why a token was not accepted. */
export type ProofFailure = { kind: "rejected" } | { kind: "disabled" } | { kind: "upstream-down" };

/** The account of a token, or why it has none. */
export type Proof =
  | { readonly ok: true; readonly proven: ProvenAccount }
  | { readonly ok: false; readonly failure: ProofFailure };

/** AUTH-3: maximum age of a cached proof, ms. */
const REMEMBERED_MS = 1_800_000;
/** AUTH-3: age in ms after which a proof is repeated if the API does not report ended tokens. */
export const BELIEVED_MS = 60_000;
const REMEMBERED_AT_MOST = 20_000;
/** Time-out of the API's answer about a token that it has accepted before, ms. */
const ASK_AGAIN_WITHIN_MS = 2_000;

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

/** Return the account of a token, as the farm API reports it now. Rejects with an `UpstreamError`. */
export const accountOf = (
  client: Pick<UpstreamClient, "get">,
  token: string,
  ms?: number,
): Promise<Account> =>
  client.get(accountInfo.path, Account, {
    token,
    unit: "proof",
    ...(ms !== undefined && { limits: { ms } }),
  });

const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

interface Remembered {
  readonly proof: Extract<Proof, { ok: true }>;
  /** ms UTC until which the proof itself is valid */
  readonly until: number;
  /** ms UTC */
  readonly provenAt: number;
}

interface TokenProverDeps {
  readonly client: Pick<UpstreamClient, "get">;
  readonly clock: Clock;
  readonly upstreamClock: Pick<UpstreamClock, "offsetMs">;
  readonly proofs: PassingDocuments<typeof CachedProof>;
  /** True while the API reports accounts whose tokens may have ended. */
  readonly receivesSessionEnds: () => boolean;
  /** False while the API is known to be unavailable: cached proofs count until it is back. */
  readonly reachable: () => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Proves whose a token is, by `account/info`, and caches the proof by the token's hash, here and in the store for
 * other nodes; concurrent callers share one call (AUTH-3).
 *
 * | a token's proof | becomes | when |
 * | --- | --- | --- |
 * | unknown | proven | the API names its account |
 * | proven | unknown | after 30 min, at the token's end, or when its account is doubted (AUTH-4) |
 * | proven | unknown | 60 s old, in front of an API that does not report ended tokens (AUTH-5) |
 * | proven | rejected | the API answers 401 to it, here or on another node: its sessions end |
 */
export class TokenProver {
  readonly #deps: TokenProverDeps;
  readonly #proven = new LRUCache<string, Remembered>({ max: REMEMBERED_AT_MOST });
  readonly #underWay = new Map<string, Promise<Proof>>();
  readonly #rejected;
  readonly #doubted;
  /** Counter of doubts: an answer requested before a doubt is not cached after it. */
  #doubts = 0;
  /** Time of each account's last doubt, ms UTC, oldest first: another node's earlier proof is not trusted. */
  readonly #doubtedAt = new Map<string, number>();
  /** ms UTC; earlier doubts were evicted, so no earlier proof is trusted. */
  #forgottenBefore = 0;

  constructor(deps: TokenProverDeps) {
    this.#deps = deps;
    this.#rejected = createListeners<string>(deps.onError);
    this.#doubted = createListeners<string>(deps.onError);
  }

  /** Return the account of a token, by a cached proof where one counts. */
  async prove(token: string): Promise<Proof> {
    // HS-2: a display token is accepted only by routes for displays, and is never sent to the API.
    if (isDisplayToken(token)) return { ok: false, failure: { kind: "rejected" } };
    const hash = hashOf(token);
    const known = this.#rememberedOf(hash);
    if (known && (this.#isFresh(known) || !this.#deps.reachable())) return known.proof;
    return this.#shared(hash, async () => {
      const cached = known ?? (await this.#cachedOf(hash));
      return cached && this.#isFresh(cached) ? cached.proof : this.#ask(token, hash, cached);
    });
  }

  /**
   * Ask the farm API, whatever proof is cached.
   *
   * @param orRemembered use the cached proof while the API cannot be asked
   */
  async proveAgain(token: string, orRemembered = false): Promise<Proof> {
    const hash = hashOf(token);
    const known = orRemembered ? this.#rememberedOf(hash) : undefined;
    if (known && !this.#deps.reachable()) return known.proof;
    // Do not share a proof that was started before the doubt.
    return this.#shared(`${hash} again ${this.#doubts} ${orRemembered}`, () => this.#ask(token, hash, known));
  }

  /** Forget a token after a 401, and end its sessions (AUTH-4). */
  reject(token: string): void {
    this.#forget(hashOf(token));
    this.#rejected.call(token);
  }

  onRejected(listener: (token: string) => void): () => void {
    return this.#rejected.add(listener);
  }

  /** Stop trusting the account's tokens, which may have been revoked, until each is proven again. */
  doubt(accountId: string): void {
    this.#doubts += 1;
    this.#noteDoubt(accountId);
    for (const [hash, { proof }] of [...this.#proven]) {
      if (proof.proven.accountId === accountId) this.#forget(hash);
    }
    this.#doubted.call(accountId);
  }

  onDoubted(listener: (accountId: string) => void): () => void {
    return this.#doubted.add(listener);
  }

  #remember(hash: string, entry: Remembered): Remembered {
    this.#proven.set(hash, entry);
    return entry;
  }

  #rememberedOf(hash: string): Remembered | undefined {
    const known = this.#proven.get(hash);
    if (known && known.until > this.#deps.clock.now()) return known;
    this.#proven.delete(hash);
    return undefined;
  }

  #isFresh({ provenAt }: Remembered): boolean {
    if (this.#deps.receivesSessionEnds()) return true;
    const age = this.#deps.clock.now() - provenAt;
    // Of the future: the clock was set back, and the age is unknown.
    return age >= 0 && age < BELIEVED_MS;
  }

  #noteDoubt(accountId: string): void {
    const now = this.#deps.clock.now();
    const doubtedAt = this.#doubtedAt;
    doubtedAt.delete(accountId);
    doubtedAt.set(accountId, now);
    for (const [id, at] of doubtedAt) {
      const isOver = at < now - REMEMBERED_MS;
      if (!isOver && doubtedAt.size <= REMEMBERED_AT_MOST) break;
      if (!isOver) this.#forgottenBefore = at;
      doubtedAt.delete(id);
    }
  }

  /** Return the proof of another node, or of this one before its restart. */
  async #cachedOf(hash: string): Promise<Remembered | undefined> {
    const { proofs, clock, onError } = this.#deps;
    try {
      const stored = await proofs.get(hash);
      if (!stored?.ok || stored.value.until <= clock.now()) return undefined;
      const { account, expiresAt, until, provenAt = 0 } = stored.value;
      const accountId = String(account.id);
      if (provenAt <= Math.max(this.#forgottenBefore, this.#doubtedAt.get(accountId) ?? 0)) return undefined;
      const proof = { ok: true, proven: { account, accountId, expiresAt } } as const;
      return this.#remember(hash, { proof, until, provenAt });
    } catch (error) {
      // Without the store the API is asked, as for any new token.
      onError(error);
      return undefined;
    }
  }

  /** @param otherwise the proof to use if the API cannot be asked */
  async #ask(token: string, hash: string, otherwise: Remembered | undefined): Promise<Proof> {
    const { client, clock, upstreamClock, proofs, onError } = this.#deps;
    const expiresAt = tokenEnd(token, clock, upstreamClock);
    if (expiresAt <= clock.now()) return { ok: false, failure: { kind: "rejected" } };
    const before = this.#doubts;
    try {
      const account = await accountOf(client, token, otherwise && ASK_AGAIN_WITHIN_MS);
      const accountId = String(account.id);
      // The fleet's key in the store belongs to no account.
      if (accountId === FLEET) return { ok: false, failure: { kind: "rejected" } };
      const proof = { ok: true, proven: { account, accountId, expiresAt } } as const;
      if (this.#doubts !== before) return proof;
      const provenAt = clock.now();
      const until = Math.min(expiresAt, provenAt + REMEMBERED_MS);
      proofs.put(hash, { account, expiresAt, until, provenAt }, until).catch(onError);
      return this.#remember(hash, { proof, until, provenAt }).proof;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === "upstream-down") {
        return otherwise && this.#doubts === before ? otherwise.proof : { ok: false, failure };
      }
      const wasAccepted = this.#proven.has(hash);
      this.#forget(hash);
      if (wasAccepted && failure.kind === "rejected") this.#rejected.call(token);
      return { ok: false, failure };
    }
  }

  #shared(key: string, begin: () => Promise<Proof>): Promise<Proof> {
    const running = this.#underWay.get(key);
    if (running) return running;
    const proof = begin().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, proof);
    return proof;
  }

  #forget(hash: string): void {
    const { proofs, onError } = this.#deps;
    this.#proven.delete(hash);
    proofs.drop(hash).catch(onError);
  }
}

/** The part of a prover by which a route knows its caller. */
export type TokenProofs = Pick<TokenProver, "prove" | "proveAgain">;

function failureOf(error: unknown): ProofFailure {
  if (error instanceof UpstreamStatusError && error.status === 401) return { kind: "rejected" };
  if (error instanceof UpstreamStatusError && error.status === 403) return { kind: "disabled" };
  return { kind: "upstream-down" };
}

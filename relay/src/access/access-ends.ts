import { OutChanged } from "@mulkko/shared/mqtt/out-messages";
import { type AccessChange, AccessChanges } from "@mulkko/shared/rest/access-changes";
import { relayAccess } from "@mulkko/shared/rest/operations/relay-calls";
import type { Consequence } from "@mulkko/shared/rest/operations/table";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import type { Log } from "../runtime/log.ts";
import { createListeners, type Listeners } from "../store/streams/listeners.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { type RelayKey, repeatWithKey } from "../upstream/relay-key.ts";

/** The things that one way of ending access ends. Live sessions end with their tokens, on every node. */
interface Ends {
  /** Tokens of the account's people: each is proven again before it counts. The account's displays are checked then. */
  readonly tokens: "doubted" | null;
  /** `revoked`: those that were paired before, for good; `suspended`: until the account may be used again. */
  readonly displays: "revoked" | "suspended" | "checked" | null;
  /** The relay's own session by a sign-in (CRED-1 b). */
  readonly ownSession: "ended" | null;
  /** The relay's list of accounts that it watches alone: a start would recover it in vain. */
  readonly watching: "forgotten" | null;
}

/** Every way in which access to an account ends, or may have ended, and what ends with it (AUTH-4). */
export const ENDS = {
  /** Its tokens may have ended: it was suspended, sessions of it were ended, its role was changed. */
  changed: { tokens: "doubted", displays: null, ownSession: null, watching: null },
  /** It has another password. */
  password: { tokens: "doubted", displays: "revoked", ownSession: "ended", watching: null },
  /** It had another password at some time before the relay's start, perhaps years ago. */
  "earlier-passwords": { tokens: null, displays: "revoked", ownSession: null, watching: null },
  /** It was deleted through this relay. */
  deleted: { tokens: "doubted", displays: "revoked", ownSession: null, watching: null },
  /** The farm API refuses the relay a session for it: there is no such account. */
  gone: { tokens: null, displays: "revoked", ownSession: null, watching: "forgotten" },
  /** The farm API refuses the relay a session for it: it is suspended. */
  disabled: { tokens: null, displays: "suspended", ownSession: null, watching: null },
  /** The farm API has refused the relay's own session by a sign-in. */
  "session-refused": { tokens: null, displays: "suspended", ownSession: null, watching: "forgotten" },
  /** The farm API has accepted none of its credentials for a poll. */
  "poll-refused": { tokens: null, displays: "checked", ownSession: null, watching: null },
} as const satisfies Readonly<Record<string, Ends>>;

type EndKind = keyof typeof ENDS;

/** An end of access to an account, or a doubt about it. Times are store time, ms UTC. */
export type AccessEnd =
  | { readonly kind: Exclude<EndKind, "password" | "earlier-passwords">; readonly accountId: string }
  /** @property pairedBefore displays that were paired later stay; infinite for all, or for none */
  | { readonly kind: "password"; readonly accountId: string; readonly pairedBefore: number }
  /** @property pairedBefore by account */
  | { readonly kind: "earlier-passwords"; readonly pairedBefore: ReadonlyMap<string, number> };

/** Return what an end ends. */
export const endsOf = ({ kind }: AccessEnd): Ends => ENDS[kind];

/** A change of an account that may have ended tokens, as the farm API reports it. */
type Reported = Pick<AccessChange, "entity"> & {
  readonly accountId: string;
  /** How long before its report it was made, ms; null for a message, which has no time. */
  readonly ageMs: number | null;
};

/** Poll interval, ms. */
const ASK_EVERY_MS = 5_000;
const TIMEOUT_MS = 4_000;
/** ms since the last answer after which the API counts as silent. */
const SILENT_AFTER_MS = 12_000;
/** Enough for twenty thousand changes. */
const LIMIT_BYTES = 4 * 1024 * 1024;
/** Age up to which all displays of an account were paired before its password was changed, ms. */
const NEWS_MS = 15_000;
/** ms for which another node's proof, or one from before a restart, may be valid. */
const DOUBTED_MS = 1_800_000;

interface AccessEndsDeps {
  readonly client: Pick<UpstreamClient, "get">;
  readonly relayKey: RelayKey;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

const decoder = new TextDecoder();

/**
 * Everything that ends access to accounts arrives here, by whatever way it is learned, and leaves as one kind of
 * {@link ENDS}: calls through this relay, messages of the farm API, its answers every five seconds to a relay with the
 * extension `relay-access` (AUTH-5), and its refusals of the relay's own sessions. Tokens, displays and sessions listen.
 *
 * ```
 *   poll:  silent ──answer──▶ first report ──answer──▶ reporting
 *             ▲                                            │ no answer for 12 s
 *             └────────────────────────────────────────────┘ (the next answer names what was missed)
 * ```
 */
export class AccessEnds {
  readonly #deps: AccessEndsDeps;
  readonly #listeners: Listeners<AccessEnd>;
  readonly #poll: { close(): void };
  /** Time of the API's last answer, by its clock; null before the first one. */
  #since: string | null = null;
  /** Dates of the changes of every answer, by account and kind: an API whose clock was set back answers all again. */
  readonly #known = new Map<string, string>();
  /** When the last answered call began, on the monotonic clock, ms. */
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(deps: AccessEndsDeps) {
    this.#deps = deps;
    this.#listeners = createListeners((error) =>
      deps.log.error({ event: "access-listener-failed", err: error }, "listener of ended access failed"),
    );
    this.#poll = repeatWithKey("relay-access", ASK_EVERY_MS, (key) => this.#ask(key), {
      ...deps,
      // The link monitor reports an unavailable API; the next answer contains the missed changes.
      onError: (error) =>
        deps.log.debug({ event: "access-poll-failed", err: error }, "failed to poll ended tokens"),
    });
  }

  /** True while the farm API answers, so that a token without a reported change may be trusted. */
  get isReporting(): boolean {
    return this.#deps.clock.monotonic() - this.#answeredAt < SILENT_AFTER_MS;
  }

  onEnd(listener: (end: AccessEnd) => void): () => void {
    return this.#listeners.add(listener);
  }

  end(end: AccessEnd): void {
    this.#listeners.call(end);
  }

  /**
   * A call through this relay was carried out that ends access.
   *
   * @param accountIds of an unknown call each part of its path that may be one
   */
  called(what: (Consequence & { kind: "access" })["what"], accountIds: readonly string[]): void {
    for (const [index, accountId] of accountIds.entries()) {
      if (what === "account") this.end({ kind: "deleted", accountId });
      else if (what === "password" && index === 0) {
        this.end({ kind: "password", accountId, pairedBefore: Number.POSITIVE_INFINITY });
      } else this.end({ kind: "changed", accountId });
    }
  }

  /** A message of the farm API about a change of an account's things has arrived (`mulkko/out/{account}/changed`). */
  message(accountId: string, payload: Uint8Array): void {
    const changed = parseJson(OutChanged, decoder.decode(payload));
    if (!changed.ok) return;
    const { entity } = changed.value;
    if (entity === "account" || entity === "password") this.#reported({ accountId, entity, ageMs: null });
  }

  close(): void {
    this.#poll.close();
  }

  /**
   * Another password ends the displays that were paired before it: a report may have waited on its way, and a message has
   * no time, so that it counts only where no poll names one.
   */
  #reported({ accountId, entity, ageMs }: Reported): void {
    if (entity === "account") {
      this.end({ kind: "changed", accountId });
      return;
    }
    const isNews = ageMs === null ? !this.isReporting : ageMs <= NEWS_MS;
    const none = Number.NEGATIVE_INFINITY;
    const earlier = ageMs === null ? none : this.#deps.clock.now() - ageMs;
    this.end({ kind: "password", accountId, pairedBefore: isNews ? Number.POSITIVE_INFINITY : earlier });
  }

  /**
   * Apply the farm API's first report, which may be years old. Doubt the changes of the last half hour, and end
   * displays that were paired before their account's last password. The report is by the API's clock, a pairing by ours.
   */
  #firstReport({ at, changes }: AccessChanges): void {
    const pairedBefore = new Map<string, number>();
    const answeredAt = Date.parse(at);
    // A change in the API's future is of before its clock was set back: the present difference does not hold for it.
    const aheadAt = (changedAt: number): number =>
      changedAt > answeredAt ? 0 : answeredAt - this.#deps.clock.now();
    for (const { userId, entity, at: changedAt } of changes) {
      const accountId = String(userId);
      const date = Date.parse(changedAt);
      if (entity === "password") pairedBefore.set(accountId, date - aheadAt(date));
      if (answeredAt - date < DOUBTED_MS) this.end({ kind: "changed", accountId });
    }
    if (pairedBefore.size > 0) this.end({ kind: "earlier-passwords", pairedBefore });
  }

  #apply(answer: AccessChanges): void {
    const isFirst = this.#since === null;
    const keyOf = ({ userId, entity }: AccessChange): string => `${userId} ${entity}`;
    const fresh = answer.changes.filter((change) => this.#known.get(keyOf(change)) !== change.at);
    for (const change of fresh) this.#known.set(keyOf(change), change.at);
    this.#since = answer.at;
    if (isFirst) {
      this.#firstReport(answer);
      return;
    }
    const gapMs = this.#deps.clock.monotonic() - this.#answeredAt;
    for (const { userId, entity, at } of fresh) {
      const ageMs = Date.parse(answer.at) - Date.parse(at);
      // It was not in the last answer: a clock that was set meanwhile makes it no older than that.
      this.#reported({
        accountId: String(userId),
        entity,
        ageMs: Math.max(0, Math.min(ageMs, gapMs)),
      });
    }
  }

  async #ask(key: string): Promise<void> {
    const { client, clock } = this.#deps;
    const began = clock.monotonic();
    const answer = await client.get(relayAccess.path, AccessChanges, {
      headers: { relayKey: key },
      ...(this.#since !== null && { query: { since: this.#since } }),
      limits: { ms: TIMEOUT_MS, bytes: LIMIT_BYTES },
      unit: "access",
    });
    this.#apply(answer);
    this.#answeredAt = began;
  }
}

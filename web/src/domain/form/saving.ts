import type { Timers } from "@mulkko/shared/rules/clock";
import { ApiError, isStale, isUnknownOutcome, NoAnswerError, NotSentError } from "../../api/errors.ts";

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
  }
  return Object.is(a, b);
}

const keysOf = <V extends object>(values: V) => Object.keys(values) as (keyof V)[];

export const areSame = <V extends object>(a: V, b: V): boolean =>
  keysOf(a).every((key) => isSame(a[key], b[key]));

/**
 * Copy content from elsewhere into the fields not changed here. In a conflict the local value stays and the
 * other is offered.
 */
export function mergeContent<V extends object>(
  values: V,
  base: V,
  fresh: V,
): { merged: V; collides: boolean } {
  const merged = { ...fresh };
  let collides = false;
  for (const key of keysOf(fresh)) {
    if (isSame(values[key], base[key])) continue;
    merged[key] = values[key];
    if (!isSame(fresh[key], base[key])) collides = true;
  }
  return { merged, collides: collides && !areSame(merged, fresh) };
}

/** How a form finds out what became of a call without an answer. */
export interface Creation<V> {
  /** True where the farm API answers a repeated key with its first answer (extension `idempotent-create`). */
  readonly isIdempotent: boolean;
  /** Return true if the thing exists: asked before anything is sent again to any other farm API. */
  readonly exists: (sent: V) => Promise<boolean>;
}

/** Stored content of a thing that a form changes. */
export interface Stored<V> {
  readonly values: V;
  /** Version that `submit` names (extension `versions`); null where the thing has none. */
  readonly version: string | null;
}

/** One press of "save". */
export interface SaveOrder<V> {
  readonly sent: V;
  /** Content that the fields were changed from. */
  readonly base: Stored<V>;
  /**
   * Send it. The same call names the same version, however often it is sent.
   *
   * @param key the same for every call with the same content, as `Idempotency-Key` of one that creates
   */
  readonly send: (key: string) => Promise<void>;
  /** For a form that creates a thing. */
  readonly creates?: Creation<V> | undefined;
  /** For a thing that the page does not follow: read it now. */
  readonly read?: (() => Promise<V>) | undefined;
}

/**
 * State of a form's content (CMD-19). `found`: saved, as the thing shows. `replaced`: the thing has another content
 * now; whether this one was stored before is not known, and it will not be.
 */
export type SaveState<V> =
  | { readonly kind: "none" | "sending" }
  | { readonly kind: "saved" | "found" | "replaced"; readonly sent: V }
  | { readonly kind: "refused" | "unknown"; readonly sent: V; readonly error: unknown };

/** A call whose answer leaves its outcome open, and that was seen not to be carried out. */
export class NotDone extends Error {
  override readonly name = "NotDone";

  constructor(cause: unknown) {
    super("not carried out", { cause });
  }
}

/** Delays before a call without an answer is asked again, ms; the last one repeats. */
const ASK_AGAIN_MS = [1_000, 2_000, 5_000, 10_000] as const;

/** Attempts after which a refusal is shown although the thing exists. */
const LAST_ATTEMPT = 3;

/** Status of a thing that exists already. */
const CONFLICT = 409;

/** Status of a call whose session is over: the page ends, and the refusal says nothing about the content. */
const NO_SESSION = 401;

/** Statuses that are about the caller or the line: they say nothing about an earlier call with the same content. */
const OF_THE_CALLER: ReadonlySet<number> = new Set([NO_SESSION, 403, 408, 429]);

/** True for the failure of a call that says nothing about an earlier one with the same content. */
const saysNothing = (error: unknown): boolean =>
  error instanceof NotSentError ||
  (error instanceof ApiError && (error.temporary || OF_THE_CALLER.has(error.status)));

/** Status of a server that has tried in vain: unlike 502 to 504, not of one in front of it, which cannot know. */
const FAILED = 500;

/** Return true if every field that was changed is stored as it was sent, whatever happened to the others. */
const isStored = <V extends object>(sent: V, base: V, stored: V): boolean =>
  keysOf(sent).every((key) => isSame(sent[key], stored[key]) || isSame(sent[key], base[key]));

/** Return true if no field that was changed is stored otherwise than before the change. */
const isUntouched = <V extends object>(sent: V, base: V, stored: V): boolean =>
  keysOf(sent).every((key) => isSame(sent[key], base[key]) || isSame(stored[key], base[key]));

/** A content without an answer. */
interface Doubt<V> {
  readonly order: SaveOrder<V>;
  readonly error: unknown;
  /** True once another version than that of the call is known to be stored: it is not carried out any more. */
  isOver: boolean;
}

/** Sends a form's content, and finds out whether it was saved, however the line fails (CMD-19, CMD-20). */
export class Saving<V extends object> {
  readonly #timers: Timers;
  readonly #newKey: () => string;
  #identity = { content: "", key: "" };
  #changed: (state: SaveState<V>) => void = () => undefined;
  #isShown = false;
  #isSending = false;
  #doubt: Doubt<V> | null = null;

  /** @param newKey returns a key that no other call has */
  constructor(timers: Timers, newKey: () => string) {
    this.#timers = timers;
    this.#newKey = newKey;
  }

  /** The form is shown from now on. @param changed called with each later state */
  begin(changed: (state: SaveState<V>) => void): void {
    this.#changed = changed;
    this.#isShown = true;
  }

  /** The form is left: nothing is sent again. */
  end(): void {
    this.#isShown = false;
    this.#doubt = null;
  }

  /** Content without an answer; null: none. */
  get unknown(): V | null {
    return this.#doubt?.order.sent ?? null;
  }

  /** Save. Reports the states from here on, and the last one after the answer. */
  async save(order: SaveOrder<V>): Promise<void> {
    const before = this.#doubt;
    const isRepeated = before !== null && areSame(before.order.sent, order.sent);
    this.#doubt = null;
    this.#isSending = true;
    this.#changed({ kind: "sending" });
    try {
      await (order.creates
        ? this.#create(order, order.creates, isRepeated ? before : null)
        : this.#send(order));
    } catch (error) {
      this.#failed(order, error, isRepeated ? before : null);
      return;
    } finally {
      this.#isSending = false;
    }
    this.#changed({ kind: "saved", sent: order.sent });
  }

  /** The thing is reported with this content. */
  reported(stored: Stored<V>): void {
    const doubt = this.#doubt;
    if (doubt === null || this.#isSending || doubt.order.creates) return;
    const { sent, base } = doubt.order;
    if (isStored(sent, base.values, stored.values)) this.#settle("found", sent);
    else if (doubt.isOver && stored.version !== base.version) this.#settle("replaced", sent);
  }

  #settle(kind: "saved" | "found" | "replaced", sent: V): void {
    this.#doubt = null;
    this.#changed({ kind, sent });
  }

  #failed(order: SaveOrder<V>, error: unknown, before: Doubt<V> | null): void {
    const { sent } = order;
    // The version may have changed by the earlier attempt of the same content.
    const isOver = before !== null && isStale(error);
    const isOpen = before !== null && (isOver || saysNothing(error));
    if (!isUnknownOutcome(error) && !isOpen) {
      this.#changed({ kind: "refused", sent, error });
      return;
    }
    // Not the words of the last one: what it refused may be stored.
    const doubt = { order, error: isOpen ? before.error : error, isOver };
    this.#doubt = doubt;
    this.#changed({ kind: "unknown", sent, error: doubt.error });
    // Without a version a repeated call could overwrite what another user saved meanwhile.
    if (order.creates || (order.base.version === null && !order.read)) return;
    this.#askAgain(doubt, 0);
  }

  #askAgain(doubt: Doubt<V>, attempt: number): void {
    this.#timers.after(ASK_AGAIN_MS[attempt] ?? 10_000, () => {
      if (this.#doubt !== doubt) return;
      void this.#ask(doubt).then((isKnown) => {
        if (!isKnown && this.#doubt === doubt) this.#askAgain(doubt, attempt + 1);
      });
    });
  }

  /** Ask what became of a change, and send it again if nothing did. Return false while that is not known. */
  async #ask(doubt: Doubt<V>): Promise<boolean> {
    const { sent, base, read } = doubt.order;
    try {
      if (read) {
        const stored = await read();
        if (this.#doubt !== doubt) return true;
        if (isStored(sent, base.values, stored)) {
          this.#settle("found", sent);
          return true;
        }
        if (!isUntouched(sent, base.values, stored)) {
          this.#settle("replaced", sent);
          return true;
        }
      }
      await this.#send(doubt.order);
    } catch (error) {
      return this.#askedInVain(doubt, error);
    }
    if (this.#doubt === doubt) this.#settle("saved", sent);
    return true;
  }

  #askedInVain(doubt: Doubt<V>, error: unknown): boolean {
    if (isStale(error)) {
      // The report of that version says which content it has. An equal version may come back.
      doubt.isOver = true;
      return false;
    }
    if (saysNothing(error) || isUnknownOutcome(error)) return false;
    if (this.#doubt === doubt) {
      this.#doubt = null;
      this.#changed({ kind: "refused", sent: doubt.order.sent, error });
    }
    return true;
  }

  #pause(attempt: number): Promise<void> {
    return new Promise((resolve) => void this.#timers.after(ASK_AGAIN_MS[attempt] ?? 10_000, resolve));
  }

  /** Send a content, under the key of every call with it. */
  #send({ sent, send }: SaveOrder<V>): Promise<void> {
    const content = JSON.stringify(sent);
    if (this.#identity.content !== content) this.#identity = { content, key: this.#newKey() };
    return send(this.#identity.key);
  }

  /** Ask until there is an answer. Return null if the list is refused, or the page is left. */
  async #existsByNow(exists: () => Promise<boolean>): Promise<boolean | null> {
    for (let attempt = 0; this.#isShown; attempt++) {
      try {
        return await exists();
      } catch (error) {
        const isTemporary = error instanceof NoAnswerError || (error instanceof ApiError && error.temporary);
        if (!isTemporary && !isUnknownOutcome(error)) return null;
        await this.#pause(attempt);
      }
    }
    return null;
  }

  /**
   * Send a creation until its outcome is known, a server refuses it, or the page is left.
   *
   * @param before failure of an earlier call with the same content, which may still be carried out; null: none
   */
  async #create(
    order: SaveOrder<V>,
    { isIdempotent, exists }: Creation<V>,
    before: Doubt<V> | null,
  ): Promise<void> {
    const { sent } = order;
    if (before && !isIdempotent && (await exists(sent).catch(() => false))) return;
    /** Failure of a call that may have been carried out, or still be. */
    let open: unknown = before?.error ?? null;
    for (let attempt = 0; ; attempt++) {
      let failed: unknown;
      try {
        await this.#send(order);
        return;
      } catch (error) {
        failed = error;
      }
      const status = failed instanceof ApiError ? failed.status : null;
      const isUnknown = isUnknownOutcome(failed);
      if (open === null && !isUnknown) throw failed;
      const isConflict = status === CONFLICT;
      if (isConflict || (status === FAILED && open === null)) {
        const isThere = await exists(sent).catch(() => null);
        if (isThere === false) throw new NotDone(failed);
        if (isThere && !isIdempotent) return;
        // The first answer comes back under its key, with what it alone contained.
        if (isThere && isConflict && attempt >= LAST_ATTEMPT) throw failed;
      } else if (!isUnknown && status !== null && !OF_THE_CALLER.has(status)) throw failed;
      if (isUnknown) open = failed;
      if (!this.#isShown || status === NO_SESSION) throw open;
      this.#changed({ kind: "unknown", sent, error: open });
      await this.#pause(attempt);
      if (isIdempotent) continue;
      const isThere = await this.#existsByNow(() => exists(sent));
      if (isThere === null) throw open;
      if (isThere) return;
    }
  }
}

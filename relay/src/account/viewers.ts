import type { Timers } from "@mulkko/shared/rules/clock";
import type { TokenProver } from "../access/token-prover.ts";
import type { Log } from "../runtime/log.ts";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { AccountState } from "./account-state.ts";

/** The viewers of one node; `keys` are those of the active ones, undefined: some look at everything. */
export interface Interest {
  readonly count: number;
  /** Some of them were active in the last five minutes (POLL-1). */
  readonly active: boolean;
  readonly keys: ReadonlySet<string> | undefined;
}

/** The viewers of an account by node, with their keys. */
export interface Viewers {
  /**
   * @param interest null: the node has no viewers any more
   * @param forMs time for which it counts without a renewal; absent: until it is replaced
   */
  set(node: string, interest: Interest | null, forMs?: number): void;
  readonly count: number;
  /** True if an active viewer tracks the key, or everything; without a key: if any viewer is active. */
  watches(key?: string): boolean;
  close(): void;
}

/** @param onChanged called when the set of watched keys changes */
export function createViewers(timers: Timers, onChanged: () => void): Viewers {
  const nodes = new Map<string, { interest: Interest; expiry: { cancel(): void } | undefined }>();
  const looksAtAll = (): boolean =>
    [...nodes.values()].some(({ interest }) => interest.active && interest.keys === undefined);

  const set: Viewers["set"] = (node, interest, forMs) => {
    const before = looksAtAll();
    nodes.get(node)?.expiry?.cancel();
    if (interest === null || interest.count === 0) nodes.delete(node);
    else {
      const expiry = forMs === undefined ? undefined : timers.after(forMs, () => set(node, null));
      nodes.set(node, { interest, expiry });
    }
    // While a viewer looks at everything, other viewers change nothing.
    if (!before || !looksAtAll()) onChanged();
  };
  return {
    set,
    get count() {
      let sum = 0;
      for (const { interest } of nodes.values()) sum += interest.count;
      return sum;
    },
    watches(key) {
      for (const { interest } of nodes.values()) {
        if (!interest.active) continue;
        if (key === undefined || interest.keys === undefined || interest.keys.has(key)) return true;
      }
      return false;
    },
    close() {
      for (const { expiry } of nodes.values()) expiry?.cancel();
      nodes.clear();
    },
  };
}

/**
 * Find out if an account is an administrator's, by its newest token. The role matters only while readings
 * are not stored; the proof is normally cached.
 */
export function createViewerRole(deps: {
  state: Pick<AccountState, "emit">;
  prover: TokenProver;
  link: LinkMonitor;
  log: Log;
}): { lent(token: string): void; close(): void } {
  const { state, prover, link, log } = deps;
  let newest: string | undefined;
  const look = (): void => {
    if (newest === undefined || link.state.notStoring === null) return;
    prover.prove(newest).then(
      (proof) => {
        if (proof.ok) state.emit("roleKnown", proof.proven.account.userType === "ADMIN");
      },
      (error: unknown) =>
        log.debug({ event: "role-unknown", err: error }, "failed to read the role of a viewer"),
    );
  };
  const stop = link.listen(look);
  return {
    lent(token) {
      newest = token;
      look();
    },
    close: stop,
  };
}

import type { ProvenAccount } from "../access/token-prover.ts";
import type { DeviceStream, EventStream } from "../store/streams.ts";

/** One viewer of an account: keeps its owner active, and lends its token for polling (CRED-1 c). */
export interface Viewer {
  readonly devices: DeviceStream;
  readonly events: EventStream;
  /** Replace the viewer's token by a fresh one. */
  renew(token: string): void;
  /** Set the tracked keys; undefined: all. */
  track(keys: ReadonlySet<string> | undefined): void;
  /** Mark the viewer as active: for five minutes its keys count as watched (POLL-1), as after the start. */
  active(): void;
  release(): void;
}

/** Access to the state of every account, on whatever node its owner is (NODE-5). */
export interface AccountViews {
  /**
   * Resolves when the account's first state is present; rejects with an `UpstreamError` when it cannot be
   * read.
   */
  view(proven: ProvenAccount, token: string): Promise<Viewer>;
  /** Return a viewer of another account for an administrator (HS-2), without a token of that account. */
  viewAs(accountId: string): Promise<Viewer>;
  /**
   * Return a token of the account's own session (CRED-1 a, b), for reads by an administrator or a display
   * (HS-2). Rejects with a `NoAccessError` if the relay has no session of its own.
   */
  ownToken(accountId: string): Promise<string>;
  /**
   * POLL-8: report a write that passed through the proxy. The account's lists become due at once; for an
   * administrator's write, those of the named account and the fleet.
   *
   * @param named the account in the body of an administrator's write, null for none
   */
  written(accountId: string, path: string, named?: string | null): void;
}

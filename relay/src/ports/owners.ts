import type { AlarmDesk } from "./alarms.ts";
import type { CommandDesk } from "./commands.ts";
import type { FleetDesk } from "./fleet.ts";
import type { SettingsDesk } from "./settings.ts";
import type { DeviceStream, EventStream } from "./streams.ts";
import type { ProvenAccount } from "./tokens.ts";

/** One viewer of an account: keeps its owner at work, and lends its token for polling (CRED-1 c). */
export interface Viewer {
  readonly devices: DeviceStream;
  readonly events: EventStream;
  /** The viewer's fresh token. */
  renew(token: string): void;
  /** undefined: the viewer looks at everything. */
  track(keys: ReadonlySet<string> | undefined): void;
  /** Somebody looks there now: for five minutes its keys count as watched (POLL-1), as from the beginning. */
  active(): void;
  release(): void;
}

/** The way to an account's owner, on whatever node it is (NODE-5). */
export interface Owners {
  /** Resolves when the account's first state is there; rejects with an `UpstreamError` when it cannot be read. */
  view(proven: ProvenAccount, token: string): Promise<Viewer>;
  /** The account's valve desk, for commands; without a token it is only read. */
  desk(proven: Pick<ProvenAccount, "accountId">, token: string | undefined): Promise<CommandDesk>;
  /** The account's alarms, for those who look at them and answer them. */
  alarms(proven: Pick<ProvenAccount, "accountId">, token: string | undefined): Promise<AlarmDesk>;
  /** What the account has set. */
  settings(proven: ProvenAccount, token: string): Promise<SettingsDesk>;
  /** Another account, for an administrator who reads it (HS-2): with no token, as a person's would show their own. */
  viewAs(accountId: string): Promise<Viewer>;
  /**
   * A token of the account's own session (CRED-1 a, b), for what an administrator or a display reads as it (HS-2).
   * Rejects with a `NoAccessError` where the relay has no session of its own.
   */
  ownToken(accountId: string): Promise<string>;
  readonly fleet: FleetDesk;
  /**
   * POLL-8: a write passed through the proxy; what it touches comes due at once: the account's lists, or, of an
   * administrator's write, those of the account that it names and the fleet.
   *
   * @param named the account that the body of an administrator's write names, null for none
   */
  written(accountId: string, path: string, named?: string | null): void;
  stats(): HeartStats;
  close(): Promise<void>;
}

/** Gauges of the heart, read when metrics are asked for. */
export interface HeartStats {
  readonly accounts: number;
  readonly viewers: number;
  /** Factor by which poll intervals are stretched; 1 ordinarily (POLL-1). */
  readonly pollStretch: number;
  /** Shards that this node owns, of 256, and the live nodes of its store (NODE-5). */
  readonly shards: number;
  readonly nodes: number;
  /** This node's name among them. */
  readonly node: string;
}

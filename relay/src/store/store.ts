/**
 * What the relay keeps (NODE-2, NODE-4): streams of accounts, and what must outlive a restart. One suite,
 * `contract.suite.ts`, holds every implementation to it. Whatever writes carries the owner's fence.
 */
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Step } from "../core/changes-since.ts";
import type { DeviceStream, EventStream, Frame, LoggedEvent, StateValue, ValveStore } from "../ports.ts";

/** This node's copies of an account's streams. */
export interface AccountStreams {
  readonly devices: DeviceStream;
  readonly events: EventStream;
}

/** The right to write for an account; a later claim of the same account outdates it. */
export type Fence = number;

/** One flush: applied if `frame.from` is where the stream stands. */
export interface StateStep extends Step {
  readonly frame: Frame;
}

/**
 * `moved`: the stream is not where the writer expects it, so something was lost: the owner begins a new epoch
 * with its whole copy.
 */
export type StepOutcome = { kind: "written"; offset: number } | { kind: "moved"; offset: number };

/** What is known of a device's rhythm, kept with its key (ONL-2). */
export interface KeptPresence {
  readonly key: string;
  /** The newest gaps between signs of life, ms. */
  readonly gaps: readonly number[];
  readonly offline: boolean;
}

/** The newest notification that has become an event: its time (ms UTC), and the keys of all of that time. */
export interface Notified {
  readonly at: number;
  readonly keys: readonly string[];
}

/** Writing for one account, under one fence. Rejects with `StaleOwnerError` once another claim was made. */
export interface AccountStore {
  readonly fence: Fence;
  /** Begins an epoch of the `devices` stream with these values, at offset 0; viewers find their position void. */
  beginEpoch(values: ReadonlyMap<string, StateValue>): Promise<void>;
  step(step: StateStep): Promise<StepOutcome>;
  /** Logs an event durably and hands it out. */
  append(event: LiveEvent): Promise<LoggedEvent>;
  /** Records that a poll unit is about to be asked (POLL-2, NODE-5). */
  claimUnit(unit: string): Promise<void>;
  /** Up to where notifications have become events; null for an account whose list was never seen. */
  notified(): Promise<Notified | null>;
  keepNotified(notified: Notified): Promise<void>;
  presence(): Promise<KeptPresence[]>;
  keepPresence(entries: readonly KeptPresence[]): Promise<void>;
  readonly valves: ValveStore;
}

export interface Store {
  readonly kind: "embedded" | "redis";
  /** Store time, ms UTC (RUN-4). */
  now(): number;
  /** False while nothing durable can be written (NODE-3). */
  readonly available: boolean;
  onAvailable(listener: (available: boolean) => void): () => void;
  /** This node's copies of an account's streams; the account has been claimed before. */
  attach(accountId: string): Promise<AccountStreams>;
  claim(accountId: string): Promise<AccountStore>;
  /** Forgets an account's state, unless a later claim holds it; what is durable stays. */
  release(accountId: string, fence: Fence): Promise<void>;
  /** Accounts to be watched on without a viewer (CRED-1 a, RUN-3). */
  watchedAccounts(): Promise<string[]>;
  watchAccount(accountId: string): Promise<void>;
  unwatchAccount(accountId: string): Promise<void>;
  close(): Promise<void>;
}

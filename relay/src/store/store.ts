/**
 * The relay's storage (NODE-2, NODE-4): the streams of accounts, and what must survive a restart. One suite,
 * `contract.suite.ts`, tests every implementation. Every write carries the owner's fence.
 */

import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Parsed } from "@mulkko/shared/schema/parse";
import type { Static, TSchema } from "typebox";
import type { Step } from "./changes-since.ts";
import type { KeyedCollection, PassingCollection } from "./collections.ts";
import type { DisplayStore } from "./display-store.ts";
import type { Documents } from "./documents.ts";
import type { DeviceStream, EventStream, Frame, LoggedEvent, StateValue } from "./streams.ts";

/** This node's copies of an account's streams. */
export interface AccountStreams {
  readonly devices: DeviceStream;
  readonly events: EventStream;
  /** Release the streams. The node stops copying after the last release. */
  detach(): void;
}

/** The right to write for an account. A later claim of the same account invalidates it. */
export type Fence = number;

/** One flush: applied if `frame.from` is the stream's offset. */
export interface StateStep extends Step {
  readonly frame: Frame;
}

/**
 * `moved`: the stream is at another offset than the writer expects, so data was lost. The owner begins a new
 * epoch with its whole copy.
 */
export type StepOutcome = { kind: "written"; offset: number } | { kind: "moved"; offset: number };

/** The time of a poll unit's last claim: store time, ms UTC. */
export interface UnitClaim {
  readonly unit: string;
  readonly at: number;
}

/** The writer of one account, under one fence. Rejects with `StaleOwnerError` once another claim was made. */
export interface AccountStore {
  readonly fence: Fence;
  /**
   * Begin an epoch of the `devices` stream with these values, at offset 0. Viewers' positions become invalid.
   */
  beginEpoch(values: ReadonlyMap<string, StateValue>): Promise<void>;
  step(step: StateStep): Promise<StepOutcome>;
  /** Log an event durably and publish it. */
  append(event: LiveEvent): Promise<LoggedEvent>;
  /** Record that a poll unit is about to be requested, at store time (POLL-2, NODE-5). */
  claimUnit(unit: string): Promise<void>;
  /**
   * Return the last claim of each unit, ms UTC, so that a new owner requests none of them twice in an
   * interval.
   */
  claims(): Promise<UnitClaim[]>;
  /** The documents that only the owner writes. */
  readonly documents: Documents;
}

/** Documents of a passing collection. */
export interface PassingDocuments<S extends TSchema = TSchema> {
  /** Return a document; undefined if it is unknown, or has ended. */
  get(key: string): Promise<Parsed<Static<S>> | undefined>;
  /**
   * Store a document.
   * @param expiresAt its end: store time, ms UTC
   */
  put(key: string, value: Static<S>, expiresAt: number): Promise<void>;
  drop(key: string): Promise<void>;
}

/**
 * Called when this node starts or stops owning a shard. A shard being released stays this node's until the
 * listener's result has settled, for 3 s at most, so that its accounts can be closed in order. A lost shard
 * is another node's already.
 */
export type ShardListener = (shard: number, owned: boolean) => void | Promise<void>;

/** The shards of the 256 that this node owns (NODE-5); an account's shard is `shardOf(accountId)`. */
export interface ShardLeases {
  /**
   * Return true if this node owns the shard by its own knowledge. Every write is compared with the lease
   * itself.
   */
  owns(shard: number): boolean;
  /** Return the number of shards that this node owns. */
  owned(): number;
  /** Return the number of live nodes, including this one. */
  nodes(): number;
  /**
   * Subscribe to changes; the listener is also called at once for each owned shard. Return a function to
   * unsubscribe.
   */
  onChange(listener: ShardListener): () => void;
  /** Read the lease again, before a send that must not be late. Rejects with a `StoreUnavailableError`. */
  confirm(shard: number): Promise<boolean>;
  /** Release every shard, and take no more (LIVE-3). */
  drain(): Promise<void>;
}

/**
 * Work for an account that its owner has to do, delivered at most once. A message expires 10 s after it was
 * sent, and a shard holds 1,000 of them at most. The sender waits for an answer over `NodeMessages`, and
 * tries again or gives up.
 */
export interface Inbox {
  /** Send work. Resolves when it is in the owner's list, or delivered if this node is the owner. */
  send(accountId: string, message: object): Promise<void>;
  /**
   * Receive the work of the shards that this node owns. The handler's schema checks it. Return a function to
   * unsubscribe.
   */
  onMessage(handler: (accountId: string, message: unknown) => void): () => void;
}

/** Messages between nodes; nothing is stored for an absent node. */
export interface NodeMessages {
  /** Id of this process until it ends: no two nodes, and no two starts of one, share it. */
  readonly id: string;
  send(nodeId: string, message: object): Promise<void>;
  /** Send to every other node. A node without a connection at that time misses it. */
  sendToOthers(message: object): Promise<void>;
  /** Receive messages, which the handler's schema checks. Return a function to unsubscribe. */
  onMessage(handler: (message: unknown, from: string) => void): () => void;
}

export interface Store {
  readonly kind: "embedded" | "redis";
  /** Return store time, ms UTC (RUN-4). */
  now(): number;
  /** False while nothing durable can be written (NODE-3). */
  readonly available: boolean;
  onAvailable(listener: (available: boolean) => void): () => void;
  /**
   * Settings that the store lacks for durable storage, one sentence each (NODE-3): empty if no problem is
   * known.
   */
  readonly shortcomings: readonly string[];
  /**
   * Resolve when the store can be used. Rejects if a newer version wrote it (NODE-6), and waits while it is
   * away.
   */
  opened(): Promise<void>;
  readonly shards: ShardLeases;
  readonly inbox: Inbox;
  readonly node: NodeMessages;
  /** Return the documents of an account that any node writes. */
  documents(accountId: string): Documents;
  /** Return the documents of a passing collection. */
  passing<S extends TSchema>(of: PassingCollection<S>): PassingDocuments<S>;
  readonly displays: DisplayStore;
  /** Return copies of an account's streams on this node, for any owner. */
  attach(accountId: string): Promise<AccountStreams>;
  /**
   * Claim the right to write for an account. Rejects with a `StaleOwnerError` if another node owns its shard.
   */
  claim(accountId: string): Promise<AccountStore>;
  /** Remove an account's state, unless a later claim holds it. Durable data stays. */
  release(accountId: string, fence: Fence): Promise<void>;
  /** Return accounts of this node's shards, or of one shard, to watch without a viewer (CRED-1 a). */
  watchedAccounts(shard?: number): Promise<string[]>;
  /** Return accounts of this node's shards, or of one shard, that have a document of the collection. */
  accountsWith(of: KeyedCollection & { readonly listed: true }, shard?: number): Promise<string[]>;
  watchAccount(accountId: string): Promise<void>;
  unwatchAccount(accountId: string): Promise<void>;
  /** Compare each copy with the store, and fill those that are behind (LIVE-4). Return their number. */
  resync(): Promise<number>;
  close(): Promise<void>;
}

/**
 * What the relay keeps (NODE-2, NODE-4): streams of accounts, and what must outlive a restart. One suite,
 * `contract.suite.ts`, holds every implementation to it. Whatever writes carries the owner's fence.
 */

import type { LiveEvent } from "@mulkko/shared/live/events";
import { KeptBeats } from "@mulkko/shared/rest/fleet";
import Type from "typebox";
import type { Step } from "../core/changes-since.ts";
import type { AlarmStore, SettingsStore, ValveStore } from "../ports/durable.ts";
import type { DeviceStream, EventStream, Frame, LoggedEvent, StateValue } from "../ports/streams.ts";
import type { DisplayStore } from "./display-store.ts";

/** This node's copies of an account's streams. */
export interface AccountStreams {
  readonly devices: DeviceStream;
  readonly events: EventStream;
  /** This user needs them no more; the node stops copying when the last of them has said so. */
  detach(): void;
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

/** What is known of a device's rhythm (ONL-2), and in which half-hours it was heard. */
export const PresenceFields = Type.Object({
  /** The newest gaps between signs of life, ms. */
  gaps: Type.Array(Type.Number(), { maxItems: 16 }),
  offline: Type.Boolean(),
  beats: Type.Optional(KeptBeats),
});

/** The same with the device's key. */
export interface KeptPresence {
  readonly key: string;
  readonly gaps: readonly number[];
  readonly offline: boolean;
  readonly beats?: KeptBeats;
}

/** The newest notification that has become an event: its time (ms UTC), and the keys of all of that time. */
export interface Notified {
  readonly at: number;
  readonly keys: readonly string[];
}

/** When a poll unit was claimed last: store time, ms UTC. */
export interface UnitClaim {
  readonly unit: string;
  readonly at: number;
}

/** Writing for one account, under one fence. Rejects with `StaleOwnerError` once another claim was made. */
export interface AccountStore {
  readonly fence: Fence;
  /** Begins an epoch of the `devices` stream with these values, at offset 0; viewers find their position void. */
  beginEpoch(values: ReadonlyMap<string, StateValue>): Promise<void>;
  step(step: StateStep): Promise<StepOutcome>;
  /** Logs an event durably and hands it out. */
  append(event: LiveEvent): Promise<LoggedEvent>;
  /** Records that a poll unit is about to be asked, at store time (POLL-2, NODE-5). */
  claimUnit(unit: string): Promise<void>;
  /** When each unit was claimed last, ms UTC, so that a new owner asks none of them twice in an interval. */
  claims(): Promise<UnitClaim[]>;
  /** Up to where notifications have become events; null for an account whose list was never seen. */
  notified(): Promise<Notified | null>;
  keepNotified(notified: Notified): Promise<void>;
  presence(): Promise<KeptPresence[]>;
  keepPresence(entries: readonly KeptPresence[]): Promise<void>;
  readonly valves: ValveStore;
  readonly alarms: AlarmStore;
  readonly settings: SettingsStore;
}

/** The relay's own sessions at a plain API, one an account (CRED-1 b): text that its user has sealed. */
export interface SessionStore {
  get(accountId: string): Promise<string | null>;
  put(accountId: string, sealed: string): Promise<void>;
  drop(accountId: string): Promise<void>;
}

/** Tokens that the API has accepted, by hash (AUTH-3). What comes back is checked by its reader's schema. */
export interface ProofStore {
  /** Undefined for a hash that is not known, or whose proof has ended. */
  get(hash: string): Promise<unknown>;
  /** @param expiresAt store time, ms UTC */
  put(hash: string, proof: object, expiresAt: number): Promise<void>;
  drop(hash: string): Promise<void>;
}

/**
 * Told when this node begins to own a shard, and when it stops. A shard that is given away stays this node's until
 * what the listener returned has settled, for 3 s at most, so that its accounts can be closed in order; one that
 * was lost is another node's already.
 */
export type ShardListener = (shard: number, owned: boolean) => void | Promise<void>;

/** Which of the 256 shards this node works for (NODE-5); an account's shard is `shardOf(accountId)`. */
export interface ShardLeases {
  /** As far as this node knows: every write is compared with the lease itself. */
  owns(shard: number): boolean;
  /** Number of shards that this node owns. */
  owned(): number;
  /** Number of live nodes, this one among them. */
  nodes(): number;
  /** Also called at once, for each shard that is owned already. Returns how to stop. */
  onChange(listener: ShardListener): () => void;
  /** Reads the lease again, before what must not be sent late. Rejects with a `StoreUnavailableError`. */
  confirm(shard: number): Promise<boolean>;
  /** Gives every shard back, and takes none any more (LIVE-3). */
  drain(): Promise<void>;
}

/**
 * Work for an account that its owner has to do. At most once: a message is handed over once or not at all, is
 * dropped 10 s after it was sent, and a shard holds 1,000 of them at most. Who sends it waits for an answer over
 * `NodeMessages`, and tries again or gives up.
 */
export interface Inbox {
  /** Resolves when it is in the owner's list, or handed over where this node is the owner. */
  send(accountId: string, message: object): Promise<void>;
  /** For the shards that this node owns. What comes is checked by the handler's schema. Returns how to stop. */
  onMessage(handler: (accountId: string, message: unknown) => void): () => void;
}

/** Messages from node to node; nothing is kept for a node that is not there. */
export interface NodeMessages {
  /** This process, until it ends: no two nodes, and no two starts of one, share it. */
  readonly id: string;
  tell(nodeId: string, message: object): Promise<void>;
  /** To every other node; one that just lost its connection misses it. */
  tellOthers(message: object): Promise<void>;
  /** What comes is checked by the handler's schema. Returns how to stop. */
  onTold(handler: (message: unknown, from: string) => void): () => void;
}

export interface Store {
  readonly kind: "embedded" | "redis";
  /** Store time, ms UTC (RUN-4). */
  now(): number;
  /** False while nothing durable can be written (NODE-3). */
  readonly available: boolean;
  onAvailable(listener: (available: boolean) => void): () => void;
  /**
   * What the store lacks to keep its promises, one sentence each (NODE-3): empty when nothing is known to be wrong.
   */
  readonly shortcomings: readonly string[];
  /** Resolves when the store can be used. Rejects if a newer version wrote it (NODE-6); waits while it is away. */
  opened(): Promise<void>;
  readonly shards: ShardLeases;
  readonly inbox: Inbox;
  readonly node: NodeMessages;
  readonly sessions: SessionStore;
  readonly proofs: ProofStore;
  readonly displays: DisplayStore;
  /** Copies of an account's streams on this node, whoever owns the account. */
  attach(accountId: string): Promise<AccountStreams>;
  /**
   * The right to write for an account. Rejects with a `StaleOwnerError` where its shard belongs to another node.
   */
  claim(accountId: string): Promise<AccountStore>;
  /** Forgets an account's state, unless a later claim holds it; what is durable stays. */
  release(accountId: string, fence: Fence): Promise<void>;
  /** Accounts of this node's shards, or of one of them, to be watched on without a viewer (CRED-1 a, RUN-3). */
  watchedAccounts(shard?: number): Promise<string[]>;
  watchAccount(accountId: string): Promise<void>;
  unwatchAccount(accountId: string): Promise<void>;
  /** Compares each copy with the store and fills those that fell behind (LIVE-4); the number of these. */
  resync(): Promise<number>;
  close(): Promise<void>;
}

/**
 * The seams inside the relay. Each interface has one maker and is all that its users know of it, so that every
 * part is tested against hand-written fakes of its neighbours.
 */
import type { Position, StreamName } from "@mulkko/shared/live/client-messages";
import type { Actor } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import type { Account } from "@mulkko/shared/entities/account";

/** A timer that can be called off. Timers run on the monotonic clock (RUN-4). */
export interface Timers {
  after(ms: number, run: () => void): { cancel(): void };
}

/** Plain values of the `devices` stream; what a key may hold is in `@mulkko/shared/live/devices`. */
export type StateValue = Readonly<Record<string, unknown>>;

/**
 * One step of a stream, ready to be sent: `bytes` is the JSON text of the message, made once and sent as it is
 * to every session that stands at `from` (SUB-6).
 */
export interface Frame {
  readonly from: number;
  readonly offset: number;
  /** Keys that it touches; empty for events. */
  readonly keys: readonly string[];
  readonly bytes: Buffer;
}

/** What brings a reader from a position to the present (SUB-3). */
export type CatchUp =
  | { kind: "resume"; epoch: string; from: number; offset: number; set: Record<string, StateValue>; del: string[] }
  | { kind: "snapshot"; epoch: string; offset: number; state: Record<string, StateValue> };

/** What brings a reader of events to the present; `missed` is oldest first. */
export type EventCatchUp =
  | { kind: "resume"; epoch: string; offset: number; missed: LoggedEvent[] }
  | { kind: "snapshot"; epoch: string; offset: number; newest: LoggedEvent[] };

export interface LoggedEvent {
  readonly offset: number;
  readonly event: LiveEvent;
}

/** This node's copy of an account's `devices` stream. All calls are synchronous: attaching cannot lose a frame. */
export interface DeviceStream {
  readonly epoch: string;
  readonly offset: number;
  /** Without a position: a snapshot. `keys` narrows both forms to tracked keys. */
  changesSince(position: Position | undefined, keys?: ReadonlySet<string>): CatchUp;
  /** Frames from now on, in order. Returns how to stop. */
  listen(listener: (frame: Frame) => void): () => void;
}

/** This node's copy of an account's `events` stream. */
export interface EventStream {
  readonly epoch: string;
  readonly offset: number;
  /** `limit` bounds `missed`; a reader asks again from the last one it got. */
  eventsSince(position: Position | undefined, limit: number): EventCatchUp;
  listen(listener: (frame: Frame) => void): () => void;
}

/** An account that the upstream has accepted a token for. */
export interface ProvenAccount {
  readonly account: Account;
  readonly accountId: string;
  /** ms since 1970 UTC at which the token ends. */
  readonly expiresAt: number;
}

/** Why a token was not accepted. */
export type ProofFailure = { kind: "rejected" } | { kind: "disabled" } | { kind: "upstream-down" };

/** Proves tokens by `account/info`, once per token (AUTH-3). */
export interface TokenProver {
  prove(token: string): Promise<{ ok: true; proven: ProvenAccount } | { ok: false; failure: ProofFailure }>;
  /** A 401 to a call that bore the token: it is forgotten, and its sessions end (AUTH-4). */
  reject(token: string): void;
  onRejected(listener: (token: string) => void): () => void;
}

/** One viewer of an account: keeps its owner at work, and lends its token for polling (CRED-1 c). */
export interface Viewer {
  readonly devices: DeviceStream;
  readonly events: EventStream;
  /** The viewer's fresh token. */
  renew(token: string): void;
  /** undefined: the viewer looks at everything. */
  track(keys: ReadonlySet<string> | undefined): void;
  release(): void;
}

/** The way to an account's owner (NODE-5); with one node it is always this one. */
export interface Owners {
  /** Resolves when the account's first state is there; rejects with an `UpstreamError` when it cannot be read. */
  view(proven: ProvenAccount, token: string): Promise<Viewer>;
  /** The account's valve desk, for commands. */
  desk(proven: ProvenAccount, token: string): Promise<ValveDesk>;
  /** POLL-8: a write passed through the proxy; the account's lists come due at once. */
  written(accountId: string, path: string): void;
  close(): Promise<void>;
}

/** How the relay, the farm API, its broker and the store stand (ONL-4); `since` and `heardAt` are ms UTC. */
export interface LinkState {
  readonly upstream: "up" | "degraded" | "down" | "clock";
  readonly mqtt: "up" | "down" | "off";
  readonly store: "redis" | "embedded" | "down";
  readonly since: number;
  readonly heardAt: number | null;
}

export interface LinkMonitor {
  readonly state: LinkState;
  listen(listener: (state: LinkState) => void): () => void;
}

/** Where an account's owner puts what has changed; gathered and flushed as one frame (SUB-1, SUB-6). */
export interface AccountWriter {
  get(key: string): StateValue | undefined;
  keys(): Iterable<string>;
  set(key: string, value: StateValue): void;
  /** Replaces top-level fields; fields that are equal already are left out, and nothing is sent for none. */
  patch(key: string, fields: StateValue): void;
  del(key: string): void;
  /** Flushes the pending state first, then appends the event (SUB-6). */
  event(event: LiveEvent): void;
}

/** A valve command as it comes in, checked. Times are ms UTC. */
export interface CommandRequest {
  readonly commandId: string;
  readonly controllerId: string;
  /** Channel number, 1 to 8. */
  readonly number: number;
  readonly command: string;
  readonly payload: number | string;
  readonly target: ValveTarget | null;
  readonly maxRunSeconds: number | undefined;
  readonly by: Actor;
  /** Token of the person who pressed (CRED-2). */
  readonly token: string;
  /** `controller/cmd` or the legacy `sensor/cmd`. */
  readonly form: "controller" | "sensor";
  /** From where it came, for the log: a screen or the API. */
  readonly origin: string;
  readonly traceId: string;
}

/** What a channel reported, by whatever way it came. Times are ms UTC. */
export interface ChannelReport {
  readonly onoff: 0 | 1 | 2;
  /** When the device says it was so; null where it does not say. */
  readonly at: number | null;
  /** When the device's message arrived; null where a plain API was polled and does not say. */
  readonly heardAt: number | null;
  readonly commandId: string | null;
  readonly runUntil: number | null;
  readonly via: "mqtt" | "poll";
  /** When the poll that brought it began; arrival for MQTT. */
  readonly askedAt: number;
  /** Mode whose flag is set, for the cause of an opening (CMD-6). */
  readonly activeMode: "none" | "automatic" | "period" | "reservation";
}

/** Everything about valves of one account: intents, commands, run ends, waterings (CMD-*, RUN-*). */
export interface ValveDesk {
  /** Stores the intent, acts, and answers within 5 s with the state reached (CMD-7). */
  command(request: CommandRequest): Promise<CommandOutcome>;
  /** A report of a channel; called by the sources after the channel's key is written. */
  report(channelKey: string, report: ChannelReport): void;
  /** The controller was heard, whatever it said (CMD-4). */
  heard(controllerId: string): void;
  close(): void;
}

export type CommandOutcome =
  | { ok: true; record: import("@mulkko/shared/rest/command").CommandRecord }
  | { ok: false; status: 404 | 409 | 422 | 429 | 503; code: import("@mulkko/shared/rest/errors").ErrorCode; message: string };

/** Names of streams, again for users of this file alone. */
export type { StreamName };

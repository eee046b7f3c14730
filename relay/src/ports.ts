/**
 * The seams inside the relay. Each interface has one maker and is all that its users know of it, so that every
 * part is tested against hand-written fakes of its neighbours.
 *
 * The heart (store, owners, sources, upstream) makes: DeviceStream, EventStream, TokenProver, Owners, LinkMonitor,
 * CapabilitySource, UpstreamReader, AccountWriter, ValveStore, AlarmStore, SettingsStore, ValveUpstream, ChannelReads. The valves make:
 * ValveDesk by a CreateValveDesk. The gateway uses the first six.
 * Long because all seams stand in one place: a newcomer reads the relay here.
 */

import type { Account } from "@mulkko/shared/entities/account";
import type { Alarm } from "@mulkko/shared/live/alarm";
import type { Position } from "@mulkko/shared/live/client-messages";
import type { Actor, CommandState } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import type { Extension } from "@mulkko/shared/rest/capabilities";
import type {
  AccountSettings,
  AccountSettingsBody,
  ChannelSettingsBody,
  ControllerSettingsBody,
} from "@mulkko/shared/rest/settings";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import type { Static, TSchema } from "typebox";

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
  | {
      kind: "resume";
      epoch: string;
      from: number;
      offset: number;
      set: Record<string, StateValue>;
      del: string[];
    }
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
  /** Tokens of the account may have been revoked: none is believed any more without being asked about again. */
  doubt(accountId: string): void;
  onDoubted(listener: (accountId: string) => void): () => void;
  /** Asks the farm API, whatever is remembered of the token. */
  proveAgain(token: string): ReturnType<TokenProver["prove"]>;
}

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
  /** The account's valve desk, for commands. */
  desk(proven: ProvenAccount, token: string): Promise<CommandDesk>;
  /** The account's alarms, for those who look at them and answer them. */
  alarms(proven: ProvenAccount, token: string): Promise<AlarmDesk>;
  /** What the account has set. */
  settings(proven: ProvenAccount, token: string): Promise<SettingsDesk>;
  /** POLL-8: a write passed through the proxy; the account's lists come due at once. */
  written(accountId: string, path: string): void;
  stats(): HeartStats;
  close(): Promise<void>;
}

/** What may be wished about the watching of an account; `state` only asks. */
export type WatchWish = "state" | "stop" | "start" | "password-changed";

/** The way to what watches an account while nobody is signed in, on whatever node its owner is (CRED-1). */
export interface WatchDesk {
  /** Does it, and says how it stands then. Rejects with an `UpstreamError` where the owner does not answer. */
  wish(accountId: string, wish: WatchWish): Promise<import("@mulkko/shared/rest/watch").WatchState>;
}

/** How the relay, the farm API, its broker and the store stand (ONL-4); `since` and `heardAt` are ms UTC. */
export interface LinkState {
  readonly upstream: "up" | "degraded" | "down" | "clock";
  readonly mqtt: "up" | "down" | "off";
  readonly store: "redis" | "embedded" | "down";
  readonly since: number;
  readonly heardAt: number | null;
  /** ONL-3: ms by which the API's times seem to be ahead of ours (negative: behind); null unless `clock`. */
  readonly suspectedOffset: number | null;
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
  /** The relay itself wants it, without a person's token: it goes with the account's own credential (CRED-1). */
  readonly byRelay?: true;
  /** When that token ends, ms UTC (CRED-1: a run may not outlast it where nobody else can close). */
  readonly tokenEndsAt?: number;
  /** `controller/cmd` or the legacy `sensor/cmd`. */
  readonly form: "controller" | "sensor";
  /** ms within which the caller has to hear how far it has come (CMD-7); left out: the desk's own bound. */
  readonly answerWithinMs?: number;
  /** From where it came, for the log: a screen or the API. */
  readonly origin: string;
  readonly traceId: string;
}

/** A wish to close all channels of a farm (RUN-5); `farmId` null is every channel of the account. */
export interface CloseAllRequest
  extends Pick<CommandRequest, "by" | "token" | "origin" | "traceId" | "answerWithinMs"> {
  /** The same job twice closes once (CMD-7). */
  readonly jobId: string;
  readonly farmId: string | null;
}

/** How far one channel of a close-all has come. */
export interface ClosedChannel {
  readonly channelId: string;
  readonly controllerId: string;
  readonly number: number;
  readonly commandId: string;
  readonly state: CommandState;
  readonly reason: string | null;
  /** A mode that may open the channel again. */
  readonly activeMode: ChannelReport["activeMode"];
}

export type CloseAllOutcome =
  | { ok: true; jobId: string; channels: ClosedChannel[] }
  | Extract<CommandOutcome, { ok: false }>;

/** What of the command log is asked for; times are ms UTC. */
export interface CommandLogQuery {
  readonly from: number;
  readonly to: number;
  readonly channelId?: string;
  readonly farmId?: string;
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

/** A watering and the channel that it ran through. */
export interface ChannelWatering {
  readonly channelKey: string;
  readonly watering: Watering;
}

/** What people ask of an account's valves, on whatever node they are. */
export interface CommandDesk {
  /** Stores the intent, acts, and answers within 5 s with the state reached (CMD-7). */
  command(request: CommandRequest): Promise<CommandOutcome>;
  /** Closes every channel of a farm in one step, and answers within 5 s with how far each has come (RUN-5). */
  closeAll(request: CloseAllRequest): Promise<CloseAllOutcome>;
  /** The commands of the last 24 h, newest first (CMD-9); null for a farm that the account does not have. */
  commands(query: CommandLogQuery): Promise<LoggedCommand[] | null>;
  /**
   * The waterings that began at `since` (ms UTC) or later, and those that run; the store keeps them for seven days
   * and gives back at most 1,000, the newest. Rejects with a `StoreUnavailableError`.
   */
  waterings(since: number): Promise<ChannelWatering[]>;
}

/** Everything about valves of one account: intents, commands, run ends, waterings (CMD-*, RUN-*). */
export interface ValveDesk extends CommandDesk {
  /** A report of a channel; called by the sources after the channel's key is written. */
  report(channelKey: string, report: ChannelReport): void;
  /** The controller was heard, whatever it said (CMD-4). */
  heard(controllerId: string): void;
  /** True while an intent, a command or a watering is open: the account's owner stays at work. */
  readonly busy?: boolean;
  close(): void;
}

/** Why an alarm is not answered as a person asks. */
export type AlarmRefusal = "unknown" | "not-active" | "most-urgent" | "bad-end" | "nothing-open";
export type AlarmAnswer = { ok: true; alarm: Alarm } | { ok: false; why: AlarmRefusal };

/** The alarms of one account, for people (ALM-2, ALM-3). Answers come once they are kept, or wait for the store. */
export interface AlarmDesk {
  /** Active or unacknowledged, the most urgent first. */
  present(): Promise<Alarm[]>;
  /** Cleared and acknowledged, the newest first. */
  past(): Promise<Alarm[]>;
  acknowledge(id: string, by: Actor, comment: string | null): Promise<AlarmAnswer>;
  /** @param until ms UTC */
  snooze(id: string, by: Actor, until: number, reason: string): Promise<AlarmAnswer>;
  unsnooze(id: string, by: Actor): Promise<AlarmAnswer>;
  /** RUN-3: what somebody opened at the controller is closed by the relay in so many minutes. */
  closeIn(id: string, by: Actor, minutes: number): Promise<AlarmAnswer>;
}

/** What of an account's settings is to be another: the account's own, or those of one controller or channel. */
export type SettingsChange =
  | ({ about: "account" } & AccountSettingsBody)
  | ({ about: "controller"; id: string } & ControllerSettingsBody)
  | ({ about: "channel"; id: string } & ChannelSettingsBody);

/** Why a change is not made; the account has no such channel or controller where it is `unknown`. */
export type SettingsRefusal = "unknown" | "above-cap" | "no-flow-meter" | "own-sensor" | "too-many";
export type SettingsAnswer = { ok: true; settings: AccountSettings } | { ok: false; why: SettingsRefusal };

/** What an account has set; in force at once. */
export interface SettingsDesk {
  get(): Promise<AccountSettings>;
  /** Rejects with a `StoreUnavailableError` when it could not be kept; then nothing has changed. */
  change(change: SettingsChange): Promise<SettingsAnswer>;
}

/** One durable step of an account's valves; all of it is stored, or nothing. Values are JSON objects. */
export interface ValveStep {
  /** Intents by channel key; null removes one. */
  readonly intents?: readonly { readonly channelKey: string; readonly intent: object | null }[];
  /** Command records by command id; kept 24 h from `at` (ms UTC, store time). */
  readonly commands?: readonly { readonly commandId: string; readonly at: number; readonly record: object }[];
  /** Waterings by id; kept 7 days from `at`. */
  readonly waterings?: readonly { readonly id: string; readonly at: number; readonly watering: object }[];
}

/** What of an account's valves outlives a restart. What comes back is checked by its reader's schema. */
export interface ValveStore {
  /** Store time, ms UTC (RUN-4): every time that is stored or compared. */
  now(): number;
  /** Resolves when it is on the disk. Rejects with a `StoreUnavailableError` when it could not be kept. */
  write(step: ValveStep): Promise<void>;
  intents(): Promise<{ channelKey: string; intent: unknown }[]>;
  /** The stored record of a command of this account, undefined if there is none. */
  command(commandId: string): Promise<unknown>;
  /** Records of commands given since an instant (ms UTC), oldest first, at most 1,000. */
  commandsSince(at: number): Promise<unknown[]>;
  /** Waterings since an instant (ms UTC), oldest first, at most 1,000. */
  wateringsSince(at: number): Promise<unknown[]>;
}

/** Alarms of one account, as they outlive a restart and a change of owner (ALM-*). */
export interface AlarmStore {
  /**
   * Keeps alarms by id; null removes one. `at` is when the alarm changed last, ms UTC, store time. An account keeps
   * 1,000: beyond that those that changed longest ago go, so a caller that prunes what is over loses nothing else.
   * Resolves when it is durable; rejects with a `StoreUnavailableError` when it could not be kept.
   */
  write(
    entries: readonly { readonly id: string; readonly at: number; readonly alarm: object | null }[],
  ): Promise<void>;
  /** All that is kept, the oldest change first. What comes back is checked by its reader's schema. */
  all(): Promise<{ id: string; alarm: unknown }[]>;
}

/** One JSON object of what an account has chosen: which meter counts for which valve, defaults of channels. */
export interface SettingsStore {
  /** Undefined for an account that has chosen nothing. Checked by its reader's schema. */
  get(): Promise<unknown>;
  /** Replaces the whole object; at most 64 KiB as JSON, else a `RangeError`. */
  put(settings: object): Promise<void>;
}

/** A command as it leaves for the farm API. */
export interface OutgoingCommand {
  readonly commandId: string;
  readonly form: "controller" | "sensor";
  /** The controller's id (or the COT sensor's), and the channel's number. */
  readonly controllerId: string;
  readonly number: number;
  readonly command: string;
  readonly payload: number | string;
  /** Seconds that remain; sent only where the API has `timed-run`. */
  readonly maxRunSeconds?: number;
  /** Of an opening: when a device begins to ignore it (CMD-4), ms UTC; sent beside `maxRunSeconds`. */
  readonly expiresAt?: number;
  /** Token of the person who pressed (CRED-2); without it the account's own credential (closes, CRED-1). */
  readonly token?: string;
  readonly traceId: string;
}

/**
 * What became of a sent command. `accepted`: 2xx. `refused`: 4xx, it was not executed. `not-sent`: certainly not
 * executed, may be tried again. `unknown`: may have been executed (time-out, cut connection, 5xx).
 */
export type SendResult =
  | {
      kind: "accepted";
      commandId: string | null;
      /** The API's clock minus the store's by its `Date` header, ms; left out where that is under 2 s or unknown. */
      offsetMs?: number;
    }
  | { kind: "refused"; status: number; code: string; message: string }
  | { kind: "not-sent" | "unknown"; message: string };

/** The farm API as the valves see it. Never rejects; never repeats by itself. */
export interface ValveUpstream {
  send(command: OutgoingCommand): Promise<SendResult>;
  /** True if the API announces the extension (`timed-run`, `idempotent-cmd`, …). */
  has(extension: Extension): boolean;
  /** True if the relay has, or can make, a session of its own that closes the account's valves (CRED-1). */
  readonly ownSession: boolean;
}

/** Asking for a channel's state; what comes goes through `ValveDesk.report`. */
export interface ChannelReads {
  /** The channel's poll unit comes due in `inMs`, or earlier if it does anyway (POLL-6). */
  due(channelKey: string, inMs: number): void;
}

/** How long manual openings may run (RUN-1); by the controller's or COT sensor's id. */
export interface RunLimits {
  capSeconds(controllerId: string): number;
  /** Of an opening that comes without a run time. */
  defaultSeconds(controllerId: string, channelId: string): number;
}

/** Everything that a valve desk is made of. */
export interface ValveDeskParts {
  readonly accountId: string;
  readonly writer: AccountWriter;
  readonly store: ValveStore;
  readonly upstream: ValveUpstream;
  readonly reads: ChannelReads;
  /** What the account has set; left out: 10 minutes, and at most 120. */
  readonly runs?: RunLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** The WATERFLOW sensor that is linked to a channel (WAT-1); left out: none is. */
  readonly flowSensorOf?: (channelId: string) => string | null;
  /** A channel's moisture at a past moment (ms UTC) by its logs, null where they do not say. */
  readonly pastMoisture?: (channelKey: string, at: number) => Promise<number | null>;
}

/** Makes the valve desk of an account: loads its intents and starts their timers (RUN-3). */
export type CreateValveDesk = (parts: ValveDeskParts) => Promise<ValveDesk>;

/** A subsystem's logger: object first, message second. Tokens and passwords never go in. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the farm API offers beyond the plain contract; none until it has answered. */
export interface CapabilitySource {
  readonly extensions: readonly string[];
  has(extension: Extension): boolean;
  /** Called with each change. Returns how to stop. */
  listen(listener: () => void): () => void;
}

/** Reading the farm API by GET, every answer checked. Rejects with an `UpstreamError` (`upstream/errors.ts`). */
export interface UpstreamReader {
  get<S extends TSchema>(
    path: string,
    schema: S,
    options?: { token?: string; limitBytes?: number; signal?: AbortSignal },
  ): Promise<Static<S>>;
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

/** One command of the log, as `GET /relay/commands` gives it. */
export type LoggedCommand = import("@mulkko/shared/rest/command").LoggedCommand;

export type CommandOutcome =
  | { ok: true; record: import("@mulkko/shared/rest/command").CommandRecord }
  | {
      ok: false;
      status: 404 | 409 | 422 | 429 | 503;
      code: import("@mulkko/shared/rest/errors").ErrorCode;
      message: string;
    };

/** The two doors to the live protocol. */
export type Door = "websocket" | "socketio";

/** What a door has done and holds; the gateway writes it in place, as it does so for every frame of every session. */
export interface DoorTally {
  sessions: number;
  slow: number;
  frames: number;
  bytes: number;
}

/** How a call to the farm API ended; `answered` covers every status below 500. */
export type UpstreamOutcome = "answered" | "failed" | "timeout" | "refused";

/**
 * `moved`: the store had lost something, and a new epoch begins with the owner's copy. `stale`: somebody else owns
 * the account by now, and the write was refused. `failed`: the store could not take a flush; it is tried again.
 * `unclaimed`: it could not take the claim of a poll unit, which was not asked.
 */
export type OwnerTrouble = "moved" | "stale" | "failed" | "unclaimed";

/** What the parts of the relay count; read out as Prometheus text at `/metrics`. */
export interface Metrics {
  tally(door: Door): DoorTally;
  sessionEnded(door: Door, code: number): void;
  /** One call to the farm API: `unit` is a poll unit, `proof`, `command` or `proxy`; never a path with ids. */
  upstreamCall(unit: string, outcome: UpstreamOutcome, ms: number): void;
  /** A command reached a state (CMD-1). */
  command(state: CommandState): void;
  breaker(state: "closed" | "half-open" | "open"): void;
  /** A message of a source: it changed something, brought nothing new, or was no valid message. */
  sourceMessage(source: "mqtt" | "poll", outcome: "changed" | "same" | "rejected"): void;
  /** One flush of an account: frames to how many sessions is the gateway's business. */
  flushed(keys: number): void;
  /** What went wrong for an account's owner as it wrote (SUB-1, NODE-2, NODE-5). */
  ownerTrouble(trouble: OwnerTrouble): void;
  /** A session was brought to the present: as it asked, or as it had fallen behind (SUB-3). */
  caughtUp(by: "snapshot" | "resume", cause: "subscribe" | "behind"): void;
  /** A connection was turned away before its upgrade. */
  connectionRefused(reason: "draining" | "origin" | "limit"): void;
}

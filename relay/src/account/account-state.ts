import { EventEmitter } from "node:events";
import type { Sensor } from "@mulkko/shared/entities/sensor";
import type { Actor } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { ChangedKind } from "@mulkko/shared/rest/operations/operation";
import type { StateValue } from "../store/streams.ts";
import type { ChannelReport } from "./channel-report.ts";
import type { Heartbeat, PresenceChange } from "./presence.ts";
import type { AccountWriter } from "./writer.ts";

/** A valve that the relay closes by itself. */
export interface OwnClose {
  readonly channelKey: string;
  /** The same id twice closes once, also across a restart (CMD-7). */
  readonly commandId: string;
  readonly by: Actor;
  /**
   * Return true as long as the close is wanted: the valve may have been closed, or opened by a person since.
   */
  readonly isWanted: () => boolean;
}

/**
 * The events of an active account with their arguments. The parts of an account (polling, presence, valves,
 * alarms, the fleet's report) listen to them instead of calling each other.
 */
export interface AccountEvents {
  /** A key has changed. `fields` are the changed ones; undefined if the whole value is new or removed. */
  changed: [key: string, fields: StateValue | undefined];
  /** An event was handed to the writer. */
  published: [event: LiveEvent];
  /** The lists of the account were read for the first time. */
  listsRead: [];
  /** Sensors or channels were added or removed. */
  devicesChanged: [];
  /** A device or channel is gone from the lists. */
  deviceGone: [key: string];
  /** The sensor list was read, perhaps with the newest log of each sensor. */
  sensorsListed: [sensors: readonly Sensor[]];
  /** A write changed entities of these kinds (POLL-8). */
  written: [kinds: readonly ChangedKind[]];
  /** The API's MQTT output is received again; any message may have been lost meanwhile. */
  messagesMissed: [];
  /** A reading of a sensor was received by MQTT (POLL-4). */
  sensorReceived: [sensorId: string];
  /** A new reading of a known sensor, or a late one, was measured at `at` (ms UTC). */
  readingReceived: [sensorId: string, at: number];
  /** A device reported. */
  deviceReported: [key: string, sign: Heartbeat];
  /** The API answered for a device, with no newer report. */
  deviceAnswered: [key: string];
  /** The API answered that a device has never reported. */
  deviceSilentSoFar: [key: string];
  /** A device cannot be judged until it reports or the API answers for it (POLL-5, POLL-7). */
  deviceUnreadable: [key: string];
  /** The API could not be asked about a device (POLL-7). */
  devicePollFailed: [key: string];
  /** Reads of a channel fail, and nothing else brings its state: its last report is not one of now (POLL-7). */
  channelUnread: [key: string];
  /** Values can arrive again after they could not: those of before are not live until they are read (LINK-3). */
  sourceBack: [];
  /** The quality of a device has changed, or it went offline or came back. */
  presenceChanged: [change: PresenceChange];
  /** A device is at the threshold of offline: its poll unit is due at once (ONL-1). */
  deviceDue: [key: string];
  /** The state of a channel is to be read in `inMs`, or earlier if it already is (POLL-6). */
  channelDue: [key: string, inMs: number];
  /** A channel's state was reported; its key is already written. */
  channelReported: [key: string, report: ChannelReport];
  /** A message of a controller arrived, with any content (CMD-4). */
  controllerReceived: [controllerId: string];
  /** The farm API began or stopped to let the relay read the account. */
  accessChanged: [has: boolean];
  /** The farm API, its broker or the access to the account is back, however short the outage was (ALM-4). */
  outageOver: [key: string];
  /** A cause of the poll intervals has changed: viewers, the stretch factor, or the trust in the API's clock. */
  paceChanged: [];
  /** It is known that the newest token is an administrator's, or not. */
  roleKnown: [isAdministrator: boolean];
  /** A setting has changed; `channelId` is set if it is one of a channel. */
  settingsChanged: [channelId: string | null];
  /** The relay wants to close a valve by itself. */
  closeWanted: [wanted: OwnClose];
}

/** The values of an account, and what happens in it. */
export interface AccountState extends AccountWriter {
  /**
   * Call a listener at each event, in the order of registration and before the emitting call returns. The
   * listeners are dropped with the state.
   */
  on<Name extends keyof AccountEvents>(name: Name, listener: (...args: AccountEvents[Name]) => void): void;
  emit<Name extends keyof AccountEvents>(name: Name, ...args: AccountEvents[Name]): void;
}

/** Create the state of an account over its writer. Writes that change nothing emit no event. */
export function createAccountState(writer: AccountWriter): AccountState {
  const events = new EventEmitter();
  const emit: AccountState["emit"] = (name, ...args) => void events.emit(name, ...args);
  return {
    get: writer.get,
    keys: writer.keys,
    set(key, value) {
      const isNew = writer.set(key, value);
      if (isNew) emit("changed", key, undefined);
      return isNew;
    },
    patch(key, fields) {
      const changed = writer.patch(key, fields);
      if (changed !== null) emit("changed", key, changed);
      return changed;
    },
    del(key) {
      const existed = writer.del(key);
      if (existed) emit("changed", key, undefined);
      return existed;
    },
    event(event) {
      writer.event(event);
      emit("published", event);
    },
    on: (name, listener) => void events.on(name, listener),
    emit,
  };
}

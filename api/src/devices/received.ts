import { FORWARDED_AFTER_MS } from "@mulkko/shared/rules/quality";
import type { ValveCode } from "@mulkko/shared/rules/valve";
import type { ChannelContent } from "../decode/channel-state.ts";
import type { Reading } from "../history/reading.ts";

/** A stored message of a device. Times are ms since 1970 UTC. */
export interface DeviceContact {
  readonly deviceId: string;
  /** Time of the message's content. */
  readonly at: number;
  /** Time of the device's own contact (ORD-4). */
  readonly heardAt: number;
  /** False for a late or retained message: it is newer than the one before only by its time (ORD-1). */
  readonly isLive: boolean;
  /** %; null where the message has none. */
  readonly battery: number | null;
  /** dBm; null where the message has none. */
  readonly rssi: number | null;
}

/** A message measured longer ago than this does not describe the present. */
export const LATE_MS = FORWARDED_AFTER_MS;

/** Called with each stored batch. Must return at once and not throw. */
export type ReadingListener = (batch: readonly DeviceContact[]) => void;

/** Return the contact of a reading; one that was stored and forwarded is of the past (ORD-4). */
export function contactOfReading(reading: Reading): DeviceContact[] {
  const { sensorId: deviceId, at, receivedAt, arrival, fields, rssi } = reading;
  const isLive = arrival !== undefined;
  return [{ deviceId, at, heardAt: receivedAt, isLive, battery: fields.battery ?? null, rssi }];
}

/** Return the contact of a report; none for a retained one, or one without a message of the valve. */
export const contactOfReport = ({ deviceId, at, heardAt, isLive, rssi }: ReceivedReport): DeviceContact[] =>
  !isLive || at === null || heardAt === null ? [] : [{ deviceId, at, heardAt, isLive, battery: null, rssi }];

/** A report with its channel and its place in the order of arrival. Times are ms since 1970 UTC. */
export interface ReceivedReport extends ChannelContent {
  readonly deviceId: string;
  readonly number: number;
  /** Time at which the state counts; null for a retained report without a time. */
  readonly at: number | null;
  /** Time of the device's own contact; null where the report is none (ORD-4). */
  readonly heardAt: number | null;
  /** True for a message that the device has just sent, as opposed to one that the broker retained. */
  readonly isLive: boolean;
  /** Number in the order of arrival (ORD-1). */
  readonly arrival: number;
  /** Since when the device's clock has been wrong, so that `at` is the arrival (ORD-2); null: it is right. */
  readonly clockWrongSince: number | null;
  /** The reported state and its own time, for the log, where the channel is unknown by it (ORD-5). */
  readonly logged?: { readonly onoff: ValveCode; readonly at: number };
}

/** A report of a driver, whose valves state no time. Times are ms since 1970 UTC. */
export interface DriverReport extends ChannelContent {
  readonly deviceId: string;
  readonly number: number;
  /**
   * Arrival of the valve's own message about its state; null where none has just arrived: the settings have
   * changed, and the state that is known stays with its time.
   */
  readonly heardAt: number | null;
  /** True for a message that the broker retained. */
  readonly retained: boolean;
}

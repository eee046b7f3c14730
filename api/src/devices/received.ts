import type { ChannelReport } from "../decode/channel-state.ts";
import type { Reading } from "../history/reading.ts";

/** A stored message of a device. Times are ms since 1970 UTC. */
export interface DeviceContact {
  readonly deviceId: string;
  /** Time of the message's content. */
  readonly at: number;
  readonly heardAt: number;
  /** %; null where the message has none. */
  readonly battery: number | null;
  /** dBm; null where the message has none. */
  readonly rssi: number | null;
}

/** A message measured longer ago than this does not describe the present. */
export const LATE_MS = 60 * 60_000;

/** Called with each stored batch. Must return at once and not throw. */
export type ReadingListener = (batch: readonly DeviceContact[]) => void;

export const contactOfReading = ({ sensorId, at, receivedAt, fields, rssi }: Reading): DeviceContact => ({
  deviceId: sensorId,
  at,
  heardAt: receivedAt,
  battery: fields.battery ?? null,
  rssi,
});

export const contactOfReport = ({ deviceId, at, heardAt, rssi }: ReceivedReport): DeviceContact => ({
  deviceId,
  at,
  heardAt,
  battery: null,
  rssi,
});

/** A report with its channel. */
export interface ReceivedReport extends ChannelReport {
  readonly deviceId: string;
  readonly number: number;
  /** ms since 1970 UTC */
  readonly heardAt: number;
}

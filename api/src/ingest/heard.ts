import type { HeardReport } from "./channel-store.ts";
import type { Reading } from "./reading.ts";

/** That a device was heard and what it said is stored. Times are milliseconds since 1970 UTC. */
export interface Heard {
  readonly deviceId: string;
  /** What its message is of. */
  readonly at: number;
  readonly heardAt: number;
  /** %; null where the message has none. */
  readonly battery: number | null;
  /** dBm; null where the message has none. */
  readonly rssi: number | null;
}

/** A message that was measured longer ago than this says nothing about now. */
export const LATE_MS = 60 * 60_000;

/** Told of what was stored, batch by batch. Must return at once and not throw. */
export type HeardListener = (batch: readonly Heard[]) => void;

export const heardReading = ({ sensorId, at, receivedAt, fields, rssi }: Reading): Heard => ({
  deviceId: sensorId,
  at,
  heardAt: receivedAt,
  battery: fields.battery ?? null,
  rssi,
});

export const heardReport = ({ deviceId, at, heardAt, rssi }: HeardReport): Heard => ({
  deviceId,
  at,
  heardAt,
  battery: null,
  rssi,
});

import type { FieldName } from "@mulkko/shared/catalogue/fields";

/** The measurements of a reading in wire units; a field that is not there is missing. */
export type Fields = Readonly<Partial<Record<FieldName, number>>>;

/** A reading on its way into the database. Times are milliseconds since 1970 UTC. */
export interface Reading {
  readonly sensorId: string;
  /** When it was measured. */
  readonly at: number;
  /** When it was heard. */
  readonly receivedAt: number;
  readonly fwversion: string | null;
  /** dBm */
  readonly rssi: number | null;
  readonly fields: Fields;
}

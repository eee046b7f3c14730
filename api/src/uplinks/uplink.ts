import type { RejectReason } from "../ingest/reject-reason.ts";

/** A measurement as a network server hands it on: who, when, how well heard, and what its codec decoded. */
export interface Uplink {
  /** DevEUI, or the device id where there is none; lower case. */
  readonly externalId: string;
  /** When the radio frame was received, ms since 1970 UTC. */
  readonly at: number;
  /** False where the arrival here stands for the time. */
  readonly atGiven: boolean;
  /** dBm at the gateway that heard it best. */
  readonly rssi: number | null;
  /** %, where the network server knows it. */
  readonly battery: number | null;
  readonly fPort: number | null;
  /** The same for every delivery of one radio frame. */
  readonly frameId: string | null;
  readonly decoded: Readonly<Record<string, unknown>>;
}

/** What a network server's message is. */
export type Adapted =
  | { readonly kind: "uplink"; readonly uplink: Uplink }
  /** Nothing to store, by the name it is counted under. */
  | { readonly kind: "ignored"; readonly event: string }
  | { readonly kind: "refused"; readonly reason: RejectReason; readonly field: string | null };

export const refused = (reason: RejectReason, field: string | null = null): Adapted => ({
  kind: "refused",
  reason,
  field,
});

export const ignored = (event: string): Adapted => ({ kind: "ignored", event });

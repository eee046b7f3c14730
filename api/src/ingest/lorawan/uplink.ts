import type { RejectReason } from "@mulkko/shared/rest/dead-letter";

/** A measurement from a network server: device, time, signal, and the codec's output. */
export interface Uplink {
  /** DevEUI, or the device id where there is none; lower case. */
  readonly externalId: string;
  /** Time at which the radio frame was received, ms since 1970 UTC. */
  readonly at: number;
  /** False where the arrival here is used as the time. */
  readonly atGiven: boolean;
  /** dBm at the gateway with the best reception. */
  readonly rssi: number | null;
  /** %, where the network server reports it. */
  readonly battery: number | null;
  readonly fPort: number | null;
  /** The same for every delivery of one radio frame. */
  readonly frameId: string | null;
  readonly decoded: Readonly<Record<string, unknown>>;
}

/** Result of parsing a network server's message. */
export type Adapted =
  | { readonly kind: "uplink"; readonly uplink: Uplink }
  /** A message without readings; counted under this name. */
  | { readonly kind: "ignored"; readonly event: string }
  | { readonly kind: "refused"; readonly reason: RejectReason; readonly field: string | null };

export const refused = (reason: RejectReason, field: string | null = null): Adapted => ({
  kind: "refused",
  reason,
  field,
});

export const ignored = (event: string): Adapted => ({ kind: "ignored", event });

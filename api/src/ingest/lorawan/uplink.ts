import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import { type StatedTime, statedTime } from "../../decode/message-time.ts";

/** A measurement from a network server: device, time, signal, and the codec's output. */
export interface Uplink {
  /** DevEUI, or the device id where there is none; lower case. */
  readonly externalId: string;
  /** Time at which the radio frame was received. */
  readonly time: StatedTime;
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

/**
 * Return the time at which a frame was received: the first plausible one, in order of preference. A gateway
 * with an unset clock reports 1970 or a future year; then the network server's time is used.
 *
 * @param receivedAt arrival of the message, ms since 1970 UTC
 */
export function receptionTime(times: readonly (string | undefined)[], receivedAt: number): StatedTime {
  let unbelievable: StatedTime | undefined;
  for (const raw of times) {
    if (!raw) continue;
    const time = statedTime(raw, receivedAt, null);
    if (time.kind === "stated") return time;
    unbelievable ??= time;
  }
  return unbelievable ?? { kind: "absent" };
}

/** Return the strongest plausible signal of all gateways, dBm; null where there is none. */
export function bestSignal(gateways: readonly { readonly rssi?: number | null }[] = []): number | null {
  let best: number | null = null;
  for (const { rssi } of gateways) {
    if (typeof rssi !== "number" || rssi < -200 || rssi > 100) continue;
    if (best === null || rssi > best) best = rssi;
  }
  return best;
}

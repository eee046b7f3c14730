import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import { messageTime } from "../../decode/message-time.ts";

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

type Received =
  | { readonly ok: true; readonly at: number; readonly atGiven: boolean }
  | { readonly ok: false; readonly reason: RejectReason };

/**
 * Return the time at which a frame was received: the first plausible one, in order of preference. A gateway
 * with an unset clock reports 1970 or a future year; then the network server's time is used.
 *
 * @param receivedAt arrival of the message, ms since 1970 UTC; used where no time was given
 */
export function receptionTime(times: readonly (string | undefined)[], receivedAt: number): Received {
  let refusal: RejectReason | undefined;
  for (const raw of times) {
    if (!raw) continue;
    const time = messageTime(raw, receivedAt);
    if (time.ok) return { ok: true, at: time.at, atGiven: true };
    refusal ??= time.reason;
  }
  return refusal ? { ok: false, reason: refusal } : { ok: true, at: receivedAt, atGiven: false };
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

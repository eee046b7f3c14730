import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import { messageTime } from "../../decode/message-time.ts";

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

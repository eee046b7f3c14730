import { messageTime } from "../ingest/decode/message-time.ts";
import type { RejectReason } from "../ingest/reject-reason.ts";

type Received =
  | { readonly ok: true; readonly at: number; readonly atGiven: boolean }
  | { readonly ok: false; readonly reason: RejectReason };

/**
 * When a frame was received: the first time given that can be true, best one first. A gateway without a set clock
 * says 1970, or a year to come; the network server then knows better.
 *
 * @param receivedAt when the message arrived here, ms since 1970 UTC; stands where no time was given at all
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

/** The signal at the gateway that heard the frame best, dBm; null where none says a level that can be true. */
export function bestSignal(gateways: readonly { readonly rssi?: number | null }[] = []): number | null {
  let best: number | null = null;
  for (const { rssi } of gateways) {
    if (typeof rssi !== "number" || rssi < -200 || rssi > 100) continue;
    if (best === null || rssi > best) best = rssi;
  }
  return best;
}

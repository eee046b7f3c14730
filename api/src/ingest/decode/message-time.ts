import type { RejectReason } from "../reject-reason.ts";

/** How far a device's clock may run ahead, ms. */
export const FUTURE_TOLERANCE_MS = 5 * 60_000;

/** A device that says an earlier time has never had its clock set. */
const EARLIEST = Date.UTC(2000, 0, 1);

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

/** @returns the time of a message, ms since 1970 UTC; the arrival where it says none */
export function messageTime(
  raw: unknown,
  receivedAt: number,
): { ok: true; at: number } | { ok: false; reason: RejectReason } {
  if (raw === undefined || raw === null || raw === "") return { ok: true, at: receivedAt };
  const at = typeof raw === "string" && ISO.test(raw) ? Date.parse(raw) : Number.NaN;
  if (!(at >= EARLIEST)) return { ok: false, reason: "bad-time" };
  if (at > receivedAt + FUTURE_TOLERANCE_MS) return { ok: false, reason: "from-future" };
  return { ok: true, at };
}

import type { GatewayLimits } from "./limits.ts";

/** The times that a session's deadlines depend on, all in monotonic ms. */
export interface SessionTimes {
  readonly sentAt: number;
  readonly markedAt: number;
  readonly heardAt: number;
  /** The time since which bytes wait for a marker; null: none do. */
  readonly waitingSince: number | null;
  /** Null before the token was proven. */
  readonly tokenEnds: number | null;
}

type DeadlineLimits = Pick<
  GatewayLimits,
  "beatMs" | "pingMs" | "silentMs" | "tokenGraceMs" | "markerTimeoutMs"
>;

/** Return the session's next deadline, monotonic ms. */
export function nextDeadline(times: SessionTimes, limits: DeadlineLimits): number {
  const deadlines = [
    times.sentAt + limits.beatMs,
    times.markedAt + limits.pingMs,
    times.heardAt + limits.silentMs,
  ];
  if (times.tokenEnds !== null) deadlines.push(times.tokenEnds + limits.tokenGraceMs);
  if (times.waitingSince !== null) deadlines.push(times.waitingSince + limits.markerTimeoutMs);
  return Math.min(...deadlines);
}

/** Return true once the token has ended, and the time to send another is over (AUTH-1). */
export const tokenIsOver = (now: number, times: SessionTimes, limits: DeadlineLimits): boolean =>
  times.tokenEnds !== null && now >= times.tokenEnds + limits.tokenGraceMs;

/** Return true once sent bytes have waited too long for their marker (SLOW-2). */
export const isTooSlow = (now: number, times: SessionTimes, limits: DeadlineLimits): boolean =>
  times.waitingSince !== null && now - times.waitingSince >= limits.markerTimeoutMs;

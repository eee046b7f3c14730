import type { GatewayLimits } from "./limits.ts";

/** Since when a session waits for what; all in monotonic ms. */
export interface SessionTimes {
  readonly sentAt: number;
  readonly markedAt: number;
  readonly heardAt: number;
  /** Since when bytes wait for a marker; null: none do. */
  readonly waitingSince: number | null;
  /** Null where the token has not been proven yet. */
  readonly tokenEnds: number | null;
}

type DeadlineLimits = Pick<
  GatewayLimits,
  "beatMs" | "pingMs" | "silentMs" | "tokenGraceMs" | "markerTimeoutMs"
>;

/** When the session has to be looked at next, monotonic ms. */
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

/** True once the token has ended, and the time to bring another is over (AUTH-1). */
export const tokenIsOver = (now: number, times: SessionTimes, limits: DeadlineLimits): boolean =>
  times.tokenEnds !== null && now >= times.tokenEnds + limits.tokenGraceMs;

/** True once what was sent has waited too long for its marker (SLOW-2). */
export const isTooSlow = (now: number, times: SessionTimes, limits: DeadlineLimits): boolean =>
  times.waitingSince !== null && now - times.waitingSince >= limits.markerTimeoutMs;

import type { Clock } from "@mulkko/shared/rules/clock";
import { tokenExpiry } from "@mulkko/shared/rules/token-expiry";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";

/**
 * Return the end of an access token, ms UTC of the relay's clock. Its issuer, the farm API, states it by its own clock,
 * which may be another (AUTH-1).
 *
 * @param lifetimeMs assumed lifetime of a token without a readable end
 */
export function tokenEnd(
  token: string,
  clock: Pick<Clock, "now">,
  { offsetMs }: Pick<UpstreamClock, "offsetMs">,
  lifetimeMs?: number,
): number {
  return tokenExpiry(token, clock.now() + offsetMs, lifetimeMs) - offsetMs;
}

import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";

const WITH_ZONE = /(Z|[+-]\d{2}:?\d{2})$/;
const EPOCH_MS = /^\d{13}$/;
const EPOCH_S = /^\d{10}$/;

/**
 * Return the time that a farm API names, ms UTC. Accepts local time without a zone, time with a zone, and
 * seconds or milliseconds since 1970. Null for invalid input.
 */
export function apiInstant(text: string | null | undefined, zone: ApiTimeZone): number | null {
  if (!text) return null;
  if (EPOCH_MS.test(text)) return Number(text);
  if (EPOCH_S.test(text)) return Number(text) * 1_000;
  const withZone = WITH_ZONE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(withZone) ? zone.toInstant(text) : withZone;
}

import { FORWARDED_AFTER_MS, OFFLINE_AFTER_MS } from "./quality.ts";

/** A device's change to offline or back (FLIP-1). Times are ms since 1970 UTC. */
export interface Flip {
  readonly at: number;
  readonly online: boolean;
  /** Its contact before the change; null: the first contact of the device. */
  readonly last: number | null;
}

/**
 * Return the time of contact that a message proves: its arrival. What was measured more than 60 min before
 * was stored and forwarded (ORD-4): it counts at its own time, and brings no device back.
 */
export function contactTime({ at, heardAt }: { readonly at: number; readonly heardAt: number }): number {
  return heardAt - at > FORWARDED_AFTER_MS ? at : heardAt;
}

/** Return the flip of a device that exceeded its allowed silence (ms) after a contact. */
export const wentOffline = (heardAt: number, allowedMs: number = OFFLINE_AFTER_MS): Flip => ({
  at: heardAt + allowedMs,
  online: false,
  last: heardAt,
});

/** Return the flip of a device's first contact, or of one that ended its silence. */
export const cameBack = (contact: number, last: number | null): Flip => ({ at: contact, online: true, last });

/** Return true if two flips are the same change. */
export const isSameFlip = (a: Flip | null, b: Flip | null): boolean =>
  a === b || (a !== null && b !== null && a.at === b.at && a.online === b.online && a.last === b.last);

/** A flip as the fleet's messages carry it: ISO instants. */
interface WireFlip {
  readonly at: string;
  readonly online: boolean;
  readonly last: string | null;
}

const SECOND_MS = 1_000;

/** Return the second of the contact before a flip: a list names whole seconds, a message milliseconds. */
const lastSecond = ({ last }: WireFlip): number =>
  last === null ? Number.NEGATIVE_INFINITY : Math.floor(Date.parse(last) / SECOND_MS);

/**
 * Return the last flip that two sources know of a device (FLIP-1). A source without a flip knows none: it
 * erases nothing. A flip is later if its device was in contact later before it; a return is later than the
 * silence that it ends. Of two records of one flip the earlier counts: the other source noticed it later.
 */
export function lastFlip<F extends WireFlip>(a: F | null, b: F | null): F | null {
  if (a === null || b === null) return a ?? b;
  const [lastA, lastB] = [lastSecond(a), lastSecond(b)];
  if (lastA !== lastB) return lastA > lastB ? a : b;
  if (a.online !== b.online) return a.online ? a : b;
  return Date.parse(a.at) <= Date.parse(b.at) ? a : b;
}

/** Return false if a contact (ms UTC) proves that a device did not go offline then. */
export function isPossibleFlip(flip: WireFlip, contact: number): boolean {
  if (flip.online || flip.last === null) return true;
  return contact < (lastSecond(flip) + 1) * SECOND_MS || contact >= Date.parse(flip.at);
}

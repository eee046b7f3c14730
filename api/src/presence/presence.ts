import type { FleetFlip } from "@mulkko/shared/live/fleet";
import { BEAT_SLOTS, beatSlot, type KeptBeats } from "@mulkko/shared/rest/fleet";
import { type Heard, LATE_MS } from "../ingest/heard.ts";

/** When a device went offline or came back. Times are milliseconds since 1970 UTC. */
export interface Flip {
  readonly at: number;
  readonly online: boolean;
  /** When it had been heard before. */
  readonly last: number | null;
}

/** State of a device: online or not, since when, and the half-hours in which it sent something. */
export interface Presence {
  readonly online: boolean;
  readonly heardAt: number;
  /** Null: it never changed since it was first heard. */
  readonly flip: Flip | null;
  readonly slot: number;
  /** A bit for each half-hour up to `slot`, which is the lowest. */
  readonly beats: bigint;
}

const ALL_SLOTS = (1n << BigInt(BEAT_SLOTS)) - 1n;

function withBeat(slot: number, beats: bigint, heardIn: number): Pick<Presence, "slot" | "beats"> {
  if (heardIn <= slot) {
    const back = slot - heardIn;
    return { slot, beats: back < BEAT_SLOTS ? beats | (1n << BigInt(back)) : beats };
  }
  const by = BigInt(Math.min(BEAT_SLOTS, heardIn - slot));
  return { slot: heardIn, beats: ((beats << by) & ALL_SLOTS) | 1n };
}

/**
 * Take a message of a device. One that was measured long ago says nothing of now: it neither brings the device back
 * nor makes one that was never heard go offline an hour later.
 *
 * @returns the same object where nothing has changed
 */
export function hearPresence(
  before: Presence | undefined,
  { at, heardAt }: Pick<Heard, "at" | "heardAt">,
): Presence | undefined {
  if (at < heardAt - LATE_MS) return before;
  if (!before) return { online: true, heardAt, flip: null, slot: beatSlot(heardAt), beats: 1n };
  const beat = withBeat(before.slot, before.beats, beatSlot(heardAt));
  return {
    ...beat,
    online: true,
    heardAt: Math.max(before.heardAt, heardAt),
    flip: before.online ? before.flip : { at: heardAt, online: true, last: before.heardAt },
  };
}

/** Take that a device has been silent for longer than it may, since that moment. */
export function silence(before: Presence, at: number): Presence {
  if (!before.online) return before;
  return { ...before, online: false, flip: { at, online: false, last: before.heardAt } };
}

/** True where only the moment of the last message differs, which is stored with the message itself. */
export const isStoredAlike = (a: Presence, b: Presence): boolean =>
  a.online === b.online && a.flip === b.flip && a.slot === b.slot && a.beats === b.beats;

/** A device's half-hours as the contract gives them. @param since the first in which the device existed */
export function beatsText(
  { slot, beats }: Pick<Presence, "slot" | "beats">,
  now: number,
  known: { readonly since: number; readonly listened: ReadonlySet<number> },
): KeptBeats {
  const last = beatSlot(now);
  let text = "";
  for (let one = last - BEAT_SLOTS + 1; one <= last; one += 1) {
    const isHeard = one <= slot && ((beats >> BigInt(slot - one)) & 1n) === 1n;
    const isSilent = one >= known.since && known.listened.has(one);
    text += isHeard ? "1" : isSilent ? "0" : "-";
  }
  return { slot: last, text };
}

const iso = (at: number): string => new Date(at).toISOString();

export const flipOf = (flip: Flip): FleetFlip => ({
  at: iso(flip.at),
  online: flip.online,
  last: flip.last === null ? null : iso(flip.last),
});

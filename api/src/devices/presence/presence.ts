import type { FleetFlip } from "@mulkko/shared/live/fleet";
import { BEAT_SLOTS, beatSlot, type StoredActivity } from "@mulkko/shared/rest/fleet";
import { type DeviceContact, LATE_MS } from "../received.ts";

/** A change between offline and online. Times are ms since 1970 UTC. */
export interface Flip {
  readonly at: number;
  readonly online: boolean;
  /** Time of the message before the change. */
  readonly last: number | null;
}

/** State of a device: online or not, since when, and the half-hours with messages. */
export interface Presence {
  readonly online: boolean;
  readonly heardAt: number;
  /** Null: no change since its first message. */
  readonly flip: Flip | null;
  readonly slot: number;
  /** One bit per half-hour up to `slot`, which is the lowest bit. */
  readonly beats: bigint;
}

const ALL_SLOTS = (1n << BigInt(BEAT_SLOTS)) - 1n;

function withBeat(slot: number, beats: bigint, receivedIn: number): Pick<Presence, "slot" | "beats"> {
  if (receivedIn <= slot) {
    const back = slot - receivedIn;
    return { slot, beats: back < BEAT_SLOTS ? beats | (1n << BigInt(back)) : beats };
  }
  const by = BigInt(Math.min(BEAT_SLOTS, receivedIn - slot));
  return { slot: receivedIn, beats: ((beats << by) & ALL_SLOTS) | 1n };
}

/**
 * Apply a message of a device. A late message does not describe the present: it does not bring the device
 * back, nor make a new device go offline an hour later.
 *
 * @returns the same object where nothing has changed
 */
export function readPresence(
  before: Presence | undefined,
  { at, heardAt, isLive }: Pick<DeviceContact, "at" | "heardAt" | "isLive">,
): Presence | undefined {
  if (!isLive && at < heardAt - LATE_MS) return before;
  if (!before) return { online: true, heardAt, flip: null, slot: beatSlot(heardAt), beats: 1n };
  const beat = withBeat(before.slot, before.beats, beatSlot(heardAt));
  return {
    ...beat,
    online: true,
    heardAt: isLive ? heardAt : Math.max(before.heardAt, heardAt),
    flip: before.online ? before.flip : { at: heardAt, online: true, last: before.heardAt },
  };
}

/** Apply that a device has exceeded its allowed silence, since a time. */
export function silence(before: Presence, at: number): Presence {
  if (!before.online) return before;
  return { ...before, online: false, flip: { at, online: false, last: before.heardAt } };
}

/** True where only the time of the last message differs, which is stored with the message itself. */
export const isStoredAlike = (a: Presence, b: Presence): boolean =>
  a.online === b.online && a.flip === b.flip && a.slot === b.slot && a.beats === b.beats;

/**
 * Return a device's half-hours in the contract's format. @param since the first in which the device existed
 */
export function beatsText(
  { slot, beats }: Pick<Presence, "slot" | "beats">,
  now: number,
  known: { readonly since: number; readonly listened: ReadonlySet<number> },
): StoredActivity {
  const last = beatSlot(now);
  let text = "";
  for (let one = last - BEAT_SLOTS + 1; one <= last; one += 1) {
    const isReceived = one <= slot && ((beats >> BigInt(slot - one)) & 1n) === 1n;
    const isSilent = one >= known.since && known.listened.has(one);
    text += isReceived ? "1" : isSilent ? "0" : "-";
  }
  return { slot: last, text };
}

const iso = (at: number): string => new Date(at).toISOString();

export const flipOf = (flip: Flip): FleetFlip => ({
  at: iso(flip.at),
  online: flip.online,
  last: flip.last === null ? null : iso(flip.last),
});

import type { FleetFlip } from "@mulkko/shared/live/fleet";
import { BEAT_SLOTS, beatSlot, type StoredActivity } from "@mulkko/shared/rest/fleet";
import { cameBack, contactTime, type Flip, wentOffline } from "@mulkko/shared/rules/presence";
import { OFFLINE_AFTER_MS } from "@mulkko/shared/rules/quality";
import type { DeviceContact } from "../received.ts";

/** State of a device: online or not, since when, and the half-hours with messages. */
export interface Presence {
  readonly online: boolean;
  /** Time of the last contact. */
  readonly heardAt: number;
  /** Null: none is known. */
  readonly flip: Flip | null;
  /**
   * Contact after the last gap of an hour or more, whether or not it was judged as a silence; null: none is known.
   * Another judge, to whom that gap was a silence, knows its end by it (FLIP-1).
   */
  readonly backAt: number | null;
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

/** Apply a message of a device (FLIP-1). A message of the past moves the last contact, and ends no silence. */
export function readPresence(
  before: Presence | undefined,
  message: Pick<DeviceContact, "at" | "heardAt" | "isLive">,
): Presence {
  const contact = message.isLive ? message.heardAt : contactTime(message);
  const isPast = contact < message.heardAt;
  if (!before) {
    const flip = isPast ? wentOffline(contact) : cameBack(contact, null);
    return { online: !isPast, heardAt: contact, flip, backAt: null, slot: beatSlot(contact), beats: 1n };
  }
  const beat = withBeat(before.slot, before.beats, beatSlot(contact));
  // A live message is the newest, whatever the clock says (ORD-1).
  if (!message.isLive && contact <= before.heardAt) return { ...before, ...beat };
  const backAt = contact - before.heardAt < OFFLINE_AFTER_MS ? before.backAt : contact;
  const after = { ...beat, heardAt: contact, backAt };
  if (before.online) return { ...before, ...after };
  if (!isPast) return { ...after, online: true, flip: cameBack(contact, before.heardAt) };
  const allowedMs = before.flip?.last == null ? undefined : before.flip.at - before.flip.last;
  return { ...after, online: false, flip: wentOffline(contact, allowedMs) };
}

/** Apply that a device has exceeded its allowed silence, ms. It went offline then, whenever that is noticed. */
export function silence(before: Presence, allowedMs: number): Presence {
  if (!before.online) return before;
  return { ...before, online: false, flip: wentOffline(before.heardAt, allowedMs) };
}

/** True where only the time of the last message differs, which is stored with the message itself. */
export const isStoredAlike = (a: Presence, b: Presence): boolean =>
  a.online === b.online &&
  a.flip === b.flip &&
  a.backAt === b.backAt &&
  a.slot === b.slot &&
  a.beats === b.beats;

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

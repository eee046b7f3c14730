import { cameBack, contactTime, type Flip, wentOffline } from "../rules/presence.ts";
import { medianInterval, offlineAfter, rememberGap } from "../rules/quality.ts";
import { seededRandom } from "./random.ts";

/** A message of a device: when it was measured and when it arrived, ms UTC. */
export interface ContactMessage {
  readonly at: number;
  readonly heardAt: number;
}

/** The messages of one device in the order of their arrival, for the tests of everything that judges a flip. */
export interface ContactHistory {
  readonly start: number;
  readonly end: number;
  readonly messages: readonly ContactMessage[];
  /** Return the silence that the device is allowed after its first `count` messages, ms. */
  allowedAfter(count: number): number;
  /** Return the device's last flip by the rule FLIP-1, from all messages that arrived until `now`. */
  flipAt(now: number): Flip | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A message of the past was measured more than an hour before its arrival; here by more than a day. */
const PAST_MS = 27 * HOUR_MS;

const isPast = ({ at, heardAt }: ContactMessage): boolean => contactTime({ at, heardAt }) < heardAt;

/** Return the history of a seed: a rhythm of a minute to six hours, silences, and messages of the past. */
export function contactHistory(seed: number, start = Date.UTC(2026, 10, 21, 3)): ContactHistory {
  const random = seededRandom(seed);
  const rhythm = [1, 5, 10, 30, 90, 360][Math.floor(random() * 6)] ?? 10;
  const messages: ContactMessage[] = [];
  let now = start + Math.floor(random() * 3 * HOUR_MS);
  const count = 3 + Math.floor(random() * 25);
  for (let n = 0; n < count; n += 1) {
    const isOld = n > 0 && random() < 0.08;
    messages.push(
      isOld
        ? { at: now - PAST_MS - Math.floor(random() * 100 * HOUR_MS), heardAt: now }
        : { at: now - Math.floor(random() * MINUTE_MS), heardAt: now },
    );
    // Messages of the past arrive with others.
    const gap = isOld ? 5_000 : random() < 0.15 ? (1 + random() * 40) * HOUR_MS : rhythm * MINUTE_MS;
    now += Math.max(1_000, Math.floor(gap));
  }
  const end = now + Math.floor(random() * 30 * HOUR_MS);

  const allowedAfter = (many: number): number => {
    let gaps: readonly number[] = [];
    let last: number | null = null;
    for (const message of messages.slice(0, many)) {
      if (isPast(message)) continue;
      if (last !== null) gaps = rememberGap(gaps, message.heardAt - last);
      last = message.heardAt;
    }
    return offlineAfter(medianInterval(gaps));
  };
  const flipAt = (until: number): Flip | null => {
    const arrived = messages.filter(({ heardAt }) => heardAt <= until);
    let contact: number | null = null;
    let flip: Flip | null = null;
    arrived.forEach((message, index) => {
      const allowed = allowedAfter(index);
      if (contact === null) flip = cameBack(message.heardAt, null);
      else if (!isPast(message) && message.heardAt - contact >= allowed) {
        flip = cameBack(message.heardAt, contact);
      }
      contact = Math.max(contact ?? Number.NEGATIVE_INFINITY, contactTime(message));
    });
    if (contact === null) return null;
    const allowed = allowedAfter(arrived.length);
    return until - contact >= allowed ? wentOffline(contact, allowed) : flip;
  };
  return { start, end, messages, allowedAfter, flipAt };
}

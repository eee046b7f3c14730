import type { Quality } from "@mulkko/shared/rules/quality";

/** Devices last heard within so many ms of one another fell silent together (ALM-4). */
export const TOGETHER_MS = 15 * 60_000;
/** A link is more than one device. */
const DEVICES = 2;

/** A device of a farm. `heardAt` is ms UTC. */
export interface Member {
  readonly key: string;
  readonly quality: Quality | null;
  readonly heardAt: number | null;
}

/** Those that fell silent together, and when the last of them was heard, ms UTC. */
export interface Silence {
  readonly keys: readonly string[];
  readonly since: number;
}

/**
 * Whether a whole farm's link is gone: nobody in it is heard any more, and two or more fell silent together, one of
 * them for long enough to be offline. The others need not have reached their own threshold: that nobody is heard is
 * what tells a link from a device. Those that were gone long before do not count, and keep alarms of their own.
 *
 * @returns null as long as somebody is heard, or cannot be told about
 */
export function farmSilence(members: readonly Member[]): Silence | null {
  const heard = members.flatMap((member) =>
    member.heardAt === null ? [] : [{ ...member, heardAt: member.heardAt }],
  );
  if (heard.some(({ quality }) => quality !== "offline" && quality !== "late")) return null;
  const since = Math.max(...heard.map(({ heardAt }) => heardAt));
  const together = heard.filter(({ heardAt }) => isTogether(heardAt, since));
  const alone = heard.filter(({ heardAt }) => !isTogether(heardAt, since));
  if (alone.some(({ quality }) => quality !== "offline")) return null;
  if (together.length < DEVICES || !together.some(({ quality }) => quality === "offline")) return null;
  return { keys: together.map(({ key }) => key), since };
}

/** True if a device that was last heard then fell silent with the others. Both are ms UTC. */
export function isTogether(heardAt: number, since: number): boolean {
  return Math.abs(since - heardAt) <= TOGETHER_MS;
}

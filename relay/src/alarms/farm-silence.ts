import type { Quality } from "@mulkko/shared/rules/quality";

/** Devices whose last reports lie within this many ms fell silent together (ALM-4). */
export const TOGETHER_MS = 15 * 60_000;
/** Minimum number of silent devices: one device does not indicate a link failure. */
const DEVICES = 2;

/** A device of a farm. `heardAt` is the time of its last report, ms UTC. */
export interface Member {
  readonly key: string;
  readonly quality: Quality | null;
  readonly heardAt: number | null;
}

/** Devices that fell silent together, and the last report among them, ms UTC. */
export interface Silence {
  readonly keys: readonly string[];
  readonly since: number;
}

/**
 * Detect the failure of a whole farm's link: no device reports any more, two or more fell silent together,
 * and one of them is offline. The others need not have reached their own threshold, because complete silence
 * separates a link failure from a device failure. Devices that were silent long before do not count and keep
 * their own alarms.
 *
 * @returns null while a device reports or its state is unknown
 */
export function farmSilence(members: readonly Member[]): Silence | null {
  const known = members.flatMap((member) =>
    member.heardAt === null ? [] : [{ ...member, heardAt: member.heardAt }],
  );
  if (known.some(({ quality }) => quality !== "offline" && quality !== "late")) return null;
  const since = Math.max(...known.map(({ heardAt }) => heardAt));
  const together = known.filter(({ heardAt }) => isTogether(heardAt, since));
  const alone = known.filter(({ heardAt }) => !isTogether(heardAt, since));
  if (alone.some(({ quality }) => quality !== "offline")) return null;
  if (together.length < DEVICES || !together.some(({ quality }) => quality === "offline")) return null;
  return { keys: together.map(({ key }) => key), since };
}

/** True if a device with that last report fell silent with the others. Both are ms UTC. */
export function isTogether(heardAt: number, since: number): boolean {
  return Math.abs(since - heardAt) <= TOGETHER_MS;
}

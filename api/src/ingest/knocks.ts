import type { Knock } from "@mulkko/shared/rest/dead-letter";
import type { Clock } from "@mulkko/shared/rules/clock";
import { cleanText } from "../decode/fields.ts";
import type { DeviceIndex } from "../devices/device-index.ts";

/** Most remembered names; the least recent one is removed. */
export const MAX_KNOCKS = 200;
const MAX_NAME = 64;

interface Kept {
  readonly kind: Knock["kind"];
  readonly name: string;
  readonly firstAt: number;
  count: number;
  lastAt: number;
}

/** Connection attempts of unregistered devices since the process started. */
export interface Knocks {
  add(kind: Knock["kind"], name: string): void;
  /** Attempts of devices that are still unregistered, newest first. */
  list(): Knock[];
}

export function createKnocks(deviceIndex: DeviceIndex, clock: Clock): Knocks {
  const kept = new Map<string, Kept>();

  const isKnown = ({ kind, name }: Kept): boolean =>
    kind === "serial"
      ? deviceIndex.bySerial(Number(name)) !== undefined
      : deviceIndex.byExternalId(name) !== undefined;

  return {
    add(kind, raw) {
      const now = clock.now();
      const name = cleanText(raw, MAX_NAME);
      const key = `${kind} ${name.toLowerCase()}`;
      const knock = kept.get(key) ?? { kind, name, firstAt: now, count: 0, lastAt: now };
      knock.count += 1;
      knock.lastAt = now;
      // The map is in the order of the last attempt.
      kept.delete(key);
      kept.set(key, knock);
      const [longestSilent] = kept.keys();
      if (kept.size > MAX_KNOCKS && longestSilent !== undefined) kept.delete(longestSilent);
    },
    list: () =>
      [...kept.values()]
        .filter((knock) => !isKnown(knock))
        .reverse()
        .map(({ firstAt, lastAt, ...knock }) => ({
          ...knock,
          firstAt: new Date(firstAt).toISOString(),
          lastAt: new Date(lastAt).toISOString(),
        })),
  };
}

import { type Believable, drawnQuality } from "@mulkko/shared/rules/quality";

/** What of a device counts here. */
interface Heard extends Believable {
  readonly heardAt: string | null;
}

/** A sensor as people count them: something that measures. A box of valves is no sensor, though the API lists it. */
export const isMeasuring = ({ info }: { readonly info: { readonly deviceType: string } }): boolean =>
  info.deviceType !== "COT";

/** How many devices can be believed, and the times of the best and the worst of them (ISO, null if none). */
export interface DeviceTally {
  readonly total: number;
  readonly fresh: number;
  readonly late: number;
  /** Controllers whose connection is known to be lost. */
  readonly lost: number;
  readonly offline: number;
  readonly unknown: number;
  readonly never: number;
  /** Newest sign of life of any device. */
  readonly newest: string | null;
  /** Oldest sign of life among those that are not offline: the worst that still counts as alive. */
  readonly oldestAlive: string | null;
}

const earlier = (a: string | null, b: string): string => (a === null || b < a ? b : a);
const later = (a: string | null, b: string): string => (a === null || b > a ? b : a);

export function tallyDevices(devices: Iterable<Heard>): DeviceTally {
  const count = { fresh: 0, late: 0, lost: 0, offline: 0, unknown: 0, never: 0 };
  let newest: string | null = null;
  let oldestAlive: string | null = null;
  for (const device of devices) {
    const { heardAt } = device;
    const quality = drawnQuality(device);
    count[quality ?? "never"] += 1;
    if (heardAt === null) continue;
    newest = later(newest, heardAt);
    if (quality === "fresh" || quality === "late") oldestAlive = earlier(oldestAlive, heardAt);
  }
  const total = count.fresh + count.late + count.lost + count.offline + count.unknown + count.never;
  return { total, ...count, newest, oldestAlive };
}

/** True if two tallies say the same. */
export function sameTally(a: DeviceTally, b: DeviceTally): boolean {
  return (
    a.total === b.total &&
    a.fresh === b.fresh &&
    a.late === b.late &&
    a.lost === b.lost &&
    a.offline === b.offline &&
    a.unknown === b.unknown &&
    a.never === b.never &&
    a.newest === b.newest &&
    a.oldestAlive === b.oldestAlive
  );
}

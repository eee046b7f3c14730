import { type AgedDevice, countedQuality, shownTime } from "@mulkko/shared/live/value-age";
import { drawnQuality, type Quality } from "@mulkko/shared/rules/quality";

/**
 * Return true for a sensor that measures. A COT sensor is a valve unit, although the API lists it as a
 * sensor.
 */
export const isMeasuring = ({ info }: { readonly info: { readonly deviceType: string } }): boolean =>
  info.deviceType !== "COT";

/** Number of trustworthy devices, and times of the best and the worst of them (ISO, null if none). */
export interface DeviceTally {
  readonly total: number;
  readonly fresh: number;
  readonly late: number;
  /** Controllers whose connection is known to be lost. */
  readonly lost: number;
  readonly offline: number;
  readonly unknown: number;
  readonly never: number;
  /** Latest contact of any device. */
  readonly newest: string | null;
  /** Time of the youngest number of any device (AGE-1). */
  readonly newestValue: string | null;
  /** Time of the oldest number among the devices that are not offline. */
  readonly oldestAlive: string | null;
}

const earlier = (a: string | null, b: string): string => (a === null || b < a ? b : a);
const later = (a: string | null, b: string): string => (a === null || b > a ? b : a);

/**
 * Count devices by their displayed quality, which follows their numbers (AGE-1).
 *
 * @param links the best quality that the connections to the screen allow (ONL-2)
 */
export function tallyDevices(devices: Iterable<AgedDevice>, links: Quality): DeviceTally {
  const count = { fresh: 0, late: 0, lost: 0, offline: 0, unknown: 0, never: 0 };
  let newest: string | null = null;
  let newestValue: string | null = null;
  let oldestAlive: string | null = null;
  for (const device of devices) {
    const { heardAt } = device;
    const quality = drawnQuality({ quality: countedQuality(device), link: device.link }, links);
    count[quality ?? "never"] += 1;
    if (heardAt !== null) newest = later(newest, heardAt);
    const valueAt = shownTime(device);
    if (valueAt === null) continue;
    newestValue = later(newestValue, valueAt);
    if (quality === "fresh" || quality === "late") oldestAlive = earlier(oldestAlive, valueAt);
  }
  const total = count.fresh + count.late + count.lost + count.offline + count.unknown + count.never;
  return { total, ...count, newest, newestValue, oldestAlive };
}

/** Return true if two tallies are equal. */
export function sameTally(a: DeviceTally, b: DeviceTally): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

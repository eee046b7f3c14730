import type { FieldName } from "@mulkko/shared/catalogue/fields";
import { DAY_MS, farmWallClock, positionIn } from "./local-clock.ts";

const HOUR_MS = 3_600_000;

/** Return a pseudo-random number in [-1, 1), the same for the same two integers. */
function lattice(seed: number, point: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(point + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
}

/**
 * Return a smooth wave in [-1, 1] without state: the same seed and instant give the same value after every
 * restart.
 *
 * @param hours time between two control points
 */
function wave(seed: number, instant: number, hours: number): number {
  const place = instant / (hours * HOUR_MS);
  const point = Math.floor(place);
  const share = place - point;
  const ease = share * share * (3 - 2 * share);
  const left = lattice(seed, point);
  return left + (lattice(seed, point + 1) - left) * ease;
}

/** Return the daily swing: 1 at `peakHour` on the farm's wall clock and -1 twelve hours later. */
function swing(instant: number, peakHour: number): number {
  return Math.cos((2 * Math.PI * (farmWallClock(instant) - peakHour * HOUR_MS)) / DAY_MS);
}

/** Return the elapsed part of the farm's day, from 0 at midnight to just under 1. */
function dayShare(instant: number): number {
  return positionIn(DAY_MS, farmWallClock(instant)) / DAY_MS;
}

/** Compute a field's value from the device's seed and the instant (ms since 1970 UTC). */
type Generator = (seed: number, instant: number) => number;

type Generators = Readonly<Partial<Record<FieldName, Generator>>>;

const BATTERY_DAYS = 240;
const FULL = 100;
const EMPTY_AT_CHANGE = 28;

/** A battery that is replaced every 240 days, on a different day for each device. */
const battery: Generator = (seed, instant) => {
  const used = positionIn(BATTERY_DAYS, instant / DAY_MS + seed * 37) / BATTERY_DAYS;
  return FULL - (FULL - EMPTY_AT_CHANGE) * used;
};

/** Return a value that drifts around a middle: slowly over days, slightly within the hour. */
const around =
  (middle: number, slow: number, quick: number): Generator =>
  (seed, t) =>
    middle + slow * wave(seed, t, 31) + quick * wave(seed + 1, t, 0.4);

/** Return the same drift with a daily swing. */
const daily = (middle: number, reach: number, peakHour: number, slow: number): Generator => {
  const drift = around(middle, slow, slow / 6);
  return (seed, t) => drift(seed, t) + reach * swing(t, peakHour);
};

/** Drained water accumulates from 08:00 to 18:00, and restarts at zero at midnight. */
const drained: Generator = (seed, t) => {
  const share = Math.min(1, Math.max(0, (dayShare(t) * 24 - 8) / 10));
  const midnight = Math.floor(farmWallClock(t) / DAY_MS) * DAY_MS;
  return (34 + 6 * wave(seed, midnight, 24)) * share * share * (3 - 2 * share);
};

const acceleration = around(1, 0.01, 0.015);
const gyroActivity: Generator = (seed, t) => Math.max(0, 1.6 + 1.2 * swing(t, 15) + 0.8 * wave(seed, t, 0.3));

const BY_TYPE: Readonly<Record<string, Generators>> = {
  SMS: { battery },
  SOIL: { battery },
  SSH: {
    ph: around(6.2, 0.12, 0.02),
    n: around(86, 9, 1),
    p: around(42, 5, 1),
    k: around(158, 14, 2),
    battery,
  },
  ATS02: { battery },
  LAT: { battery },
  NUTRIENT: { ph: around(5.9, 0.15, 0.03), ec: around(1.85, 0.12, 0.02) },
  DRAINAGE: { waterlevel: drained, temperature: daily(21, 3, 15, 1), ph: around(6.3, 0.15, 0.02) },
  FMS: { acceleration, gyroActivity, altitude: around(18, 1.2, 0.3), battery },
  FMS02: {
    temperature: daily(22, 5, 15, 1.5),
    moisture: daily(27, -0.8, 15, 3),
    acceleration,
    gyroActivity,
    pressure: around(1_014, 6, 0.2),
    ec: around(0.82, 0.08, 0.01),
    battery,
  },
  COMPOST: {
    t15: daily(56, 0.8, 17, 4),
    t30: daily(63, 0.3, 19, 4),
    m15: around(51, 3, 0.3),
    m30: around(55, 2, 0.2),
    rh: around(82, 6, 1),
    battery,
  },
  WATERLEVEL: { l: daily(7, -0.5, 16, 1.2), battery },
  COT: { moisture: daily(24, -0.7, 15, 3.5) },
};

/** Return the synthetic fields of a device type, the same for the same serial and instant. */
export function syntheticFields(deviceType: string, serial: number, instant: number): Record<string, number> {
  const made: Record<string, number> = {};
  for (const [place, [name, generate]] of Object.entries(BY_TYPE[deviceType] ?? {}).entries()) {
    made[name] = generate(serial + place * 7_919, instant);
  }
  return made;
}

/** Return the signal strength, dBm, as an integer. */
export function signalStrength(serial: number, instant: number): number {
  return Math.round(-72 - positionIn(23, serial) + 3 * wave(serial, instant, 0.2));
}

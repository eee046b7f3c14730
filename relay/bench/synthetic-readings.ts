import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import type { StateValue } from "../src/store/streams.ts";

/** A farm's sensors with changing numbers; the same seed gives the same numbers. */
export interface SyntheticReadings {
  /** Return whole values of all sensors. */
  all(): Record<string, StateValue>;
  /** Return the values of a number of sensors after their next reading. */
  next(count: number): Record<string, StateValue>;
}

const SENSORS = 40;

export function createSyntheticReadings(random: Random = seededRandom(1)): SyntheticReadings {
  let at = Date.UTC(2026, 10, 21, 3, 0, 0);
  let turn = 0;
  const keyOf = (index: number): string =>
    `sensor:10000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const round = (value: number): number => Math.round(value * 10) / 10;
  const sensorValue = (index: number): StateValue => {
    const time = new Date(at).toISOString();
    return {
      info: { id: keyOf(index).slice(7), name: `토양 ${index}`, deviceType: "SMS", serial: 100_000 + index },
      reading: {
        soilTemperature: round(15 + random() * 5),
        moisture: round(25 + random() * 10),
        battery: 88,
        rssi: -60 - Math.floor(random() * 30),
        fwversion: "1.2",
      },
      at: time,
      heardAt: time,
      quality: "fresh",
      via: "mqtt",
    };
  };
  const values = (indexes: readonly number[]): Record<string, StateValue> =>
    Object.fromEntries(indexes.map((index) => [keyOf(index), sensorValue(index)]));
  return {
    all: () => values(Array.from({ length: SENSORS }, (_, index) => index)),
    next(count) {
      at += 10_000;
      const first = turn;
      turn += count;
      return values(Array.from({ length: count }, (_, index) => (first + index) % SENSORS));
    },
  };
}

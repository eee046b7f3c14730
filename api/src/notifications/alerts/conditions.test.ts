import { expect, test } from "vitest";
import { type DeviceContact, LATE_MS } from "../../devices/received.ts";
import {
  type ConditionChange,
  type ConditionState,
  evaluateContact,
  fallSilent,
  NEVER_SEEN,
} from "./conditions.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21, 3);

/** Apply messages one minute apart; a number is the value of the type, null a message without it. */
function run(
  messages: readonly Partial<DeviceContact>[],
  from: ConditionState = NEVER_SEEN,
): { state: ConditionState; changes: ConditionChange[] } {
  const changes: ConditionChange[] = [];
  let state = from;
  messages.forEach((message, index) => {
    const now = START + index * MINUTE;
    const contact = {
      deviceId: "a",
      at: now,
      heardAt: now,
      isLive: false,
      battery: null,
      rssi: null,
      ...message,
    };
    const evaluated = evaluateContact(state, contact, "SMS", now);
    state = evaluated.state;
    changes.push(...evaluated.changes);
  });
  return { state, changes };
}
const batteries = (...values: (number | null)[]) => run(values.map((battery) => ({ battery }))).changes;
const signals = (...values: (number | null)[]) => run(values.map((rssi) => ({ rssi }))).changes;
const lasts = (changes: readonly ConditionChange[]): string[] =>
  changes.map((change) => (change.begins ? `${change.type} ${change.value}` : `${change.type} ends`));

test("[alerts] notifies once of a battery below 20 %, until it reaches 25 % again", () => {
  expect(lasts(batteries(80, 20, 19.9, 19, 5, 24.9, 12))).toEqual(["BATTERY 19.9"]);
  expect(lasts(batteries(19, 25, 19))).toEqual(["BATTERY 19", "BATTERY ends", "BATTERY 19"]);
});

test("[alerts] notifies once of a signal below -110 dBm, until it reaches -105 dBm again", () => {
  expect(lasts(signals(-90, -110, -110.5, -118, -105.1, -112))).toEqual(["RSSI -110.5"]);
  expect(lasts(signals(-111, -105, -111))).toEqual(["RSSI -111", "RSSI ends", "RSSI -111"]);
});

test("[alerts] a value that oscillates around its limit begins one condition", () => {
  const flapping = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 19.5 : 20.5));
  expect(batteries(...flapping)).toHaveLength(1);
  expect(signals(...flapping.map((value) => -90.5 - value))).toHaveLength(1);
});

test("[BAT-1] a battery in volts neither begins nor ends an condition", () => {
  expect(lasts(batteries(3.6, 3.1, 2.6))).toEqual([]);
  expect(lasts(batteries(19, 3.6, 19))).toEqual(["BATTERY 19"]);
});

test("[alerts] a message without a value neither begins nor ends an condition", () => {
  expect(lasts(batteries(null, 19, null, null, 19, null))).toEqual(["BATTERY 19"]);
  expect(lasts(signals(null, null))).toEqual([]);
});

test("[alerts] keeps separate conditions for battery and signal", () => {
  const both = run([
    { battery: 10, rssi: -120 },
    { battery: 90, rssi: -120 },
  ]);
  expect(lasts(both.changes)).toEqual(["BATTERY 10", "RSSI -120", "BATTERY ends"]);
});

test("[alerts] a late message changes no condition; after an hour it proves a contact of the past only", () => {
  const older = run([{ battery: 50 }, { battery: 10, at: START }, { battery: 10, at: START - LATE_MS }]);
  expect(older.changes).toEqual([]);
  expect(older.state).toMatchObject({ evaluatedAt: START, heardAt: START + MINUTE });
  const history = run([{ battery: 10, at: START - LATE_MS - 1 }]);
  expect(history.changes).toEqual([]);
  expect(history.state.heardAt).toBe(START - LATE_MS - 1);
  const open = run([{ battery: 10 }, { battery: 90, at: START - MINUTE }]);
  expect(lasts(open.changes)).toEqual(["BATTERY 10"]);
});

test("[alerts] still evaluates a device whose clock was ahead", () => {
  expect(lasts(run([{ battery: 90, at: START + 10 * MINUTE }, { battery: 10 }]).changes)).toEqual([
    "BATTERY 10",
  ]);
});

test("[alerts] notifies once of a silent device with its last time, and ends the condition at its next message", () => {
  const { state } = run([{ battery: 50 }]);
  const silent = fallSilent(state);
  expect(lasts(silent.changes)).toEqual([`DEVICE ${START}`]);
  expect(fallSilent(silent.state).changes).toEqual([]);
  // A message retained by the broker dates from before the silence.
  expect(run([{ heardAt: START }], silent.state).changes).toEqual([]);
  // A forwarded message too (ORD-4).
  expect(run([{ heardAt: START + 1, at: START - 2 * LATE_MS }], silent.state).changes).toEqual([]);
  expect(lasts(run([{ heardAt: START + 1, at: START - LATE_MS / 2 }], silent.state).changes)).toEqual([
    "DEVICE ends",
  ]);
});

test("[alerts] a device that never sent is not silent", () => {
  expect(fallSilent(NEVER_SEEN)).toEqual({ state: NEVER_SEEN, changes: [] });
});

import { expect, test } from "vitest";
import { type DeviceContact, LATE_MS } from "../../devices/received.ts";
import { type AlertState, fallSilent, judgeContact, NEVER_SEEN, type Turn } from "./episodes.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21, 3);

/** Apply messages one minute apart; a number is the value of the type, null a message without it. */
function run(
  messages: readonly Partial<DeviceContact>[],
  from: AlertState = NEVER_SEEN,
): { state: AlertState; turns: Turn[] } {
  const turns: Turn[] = [];
  let state = from;
  messages.forEach((message, index) => {
    const now = START + index * MINUTE;
    const contact = { deviceId: "a", at: now, heardAt: now, battery: null, rssi: null, ...message };
    const judged = judgeContact(state, contact, now);
    state = judged.state;
    turns.push(...judged.turns);
  });
  return { state, turns };
}
const batteries = (...values: (number | null)[]) => run(values.map((battery) => ({ battery }))).turns;
const signals = (...values: (number | null)[]) => run(values.map((rssi) => ({ rssi }))).turns;
const lasts = (turns: readonly Turn[]): string[] =>
  turns.map((turn) => (turn.begins ? `${turn.type} ${turn.value}` : `${turn.type} ends`));

test("[alerts] notifies once of a battery below 20 %, until it reaches 25 % again", () => {
  expect(lasts(batteries(80, 20, 19.9, 19, 5, 24.9, 12))).toEqual(["BATTERY 19.9"]);
  expect(lasts(batteries(19, 25, 19))).toEqual(["BATTERY 19", "BATTERY ends", "BATTERY 19"]);
});

test("[alerts] notifies once of a signal below -110 dBm, until it reaches -105 dBm again", () => {
  expect(lasts(signals(-90, -110, -110.5, -118, -105.1, -112))).toEqual(["RSSI -110.5"]);
  expect(lasts(signals(-111, -105, -111))).toEqual(["RSSI -111", "RSSI ends", "RSSI -111"]);
});

test("[alerts] a value that oscillates around its limit begins one episode", () => {
  const flapping = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 19.5 : 20.5));
  expect(batteries(...flapping)).toHaveLength(1);
  expect(signals(...flapping.map((value) => -90.5 - value))).toHaveLength(1);
});

test("[BAT-1] a battery in volts neither begins nor ends an episode", () => {
  expect(lasts(batteries(3.6, 3.1, 2.6))).toEqual([]);
  expect(lasts(batteries(19, 3.6, 19))).toEqual(["BATTERY 19"]);
});

test("[alerts] a message without a value neither begins nor ends an episode", () => {
  expect(lasts(batteries(null, 19, null, null, 19, null))).toEqual(["BATTERY 19"]);
  expect(lasts(signals(null, null))).toEqual([]);
});

test("[alerts] keeps separate episodes for battery and signal", () => {
  const both = run([
    { battery: 10, rssi: -120 },
    { battery: 90, rssi: -120 },
  ]);
  expect(lasts(both.turns)).toEqual(["BATTERY 10", "RSSI -120", "BATTERY ends"]);
});

test("[alerts] a late message changes no episode, but counts as a sign of life", () => {
  const older = run([{ battery: 50 }, { battery: 10, at: START }, { battery: 10, at: START - LATE_MS }]);
  expect(older.turns).toEqual([]);
  expect(older.state).toMatchObject({ judgedAt: START, heardAt: START + 2 * MINUTE });
  const history = run([{ battery: 10, at: START - LATE_MS - 1 }]);
  expect(history.turns).toEqual([]);
  expect(history.state.heardAt).toBe(START);
  const open = run([{ battery: 10 }, { battery: 90, at: START - MINUTE }]);
  expect(lasts(open.turns)).toEqual(["BATTERY 10"]);
});

test("[alerts] still evaluates a device whose clock was ahead", () => {
  expect(lasts(run([{ battery: 90, at: START + 10 * MINUTE }, { battery: 10 }]).turns)).toEqual([
    "BATTERY 10",
  ]);
});

test("[alerts] notifies once of a silent device with its last time, and ends the episode at its next message", () => {
  const { state } = run([{ battery: 50 }]);
  const silent = fallSilent(state);
  expect(lasts(silent.turns)).toEqual([`DEVICE ${START}`]);
  expect(fallSilent(silent.state).turns).toEqual([]);
  // A message retained by the broker dates from before the silence.
  expect(run([{ heardAt: START }], silent.state).turns).toEqual([]);
  expect(lasts(run([{ heardAt: START + 1, at: START - 2 * LATE_MS }], silent.state).turns)).toEqual([
    "DEVICE ends",
  ]);
});

test("[alerts] a device that never sent is not silent", () => {
  expect(fallSilent(NEVER_SEEN)).toEqual({ state: NEVER_SEEN, turns: [] });
});

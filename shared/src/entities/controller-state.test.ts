import { expect, it } from "vitest";
import { parse } from "../schema/parse.ts";
import { ControllerState, modesOf, onoffOf } from "./controller-state.ts";

it("[rest-contract] turns a report into modes with their settings", () => {
  const state = {
    serial: 7,
    onoff: "1",
    automatic: 1,
    automaticLowMoisture: "25",
    automaticHighMoisture: 35,
    automaticWatering: "10",
    period: 1,
    periodTime: 240,
    periodWatering: 5,
    periodRepeat: 2,
    reservation: 0,
    reservationWatering: null,
  };
  const parsed = parse(ControllerState, state);
  expect(parsed.ok).toBe(true);
  if (!parsed.ok) return;
  expect(onoffOf(parsed.value)).toBe(1);
  expect(modesOf(parsed.value)).toEqual({
    active: "automatic",
    alsoOn: ["period"],
    automatic: { lowerBound: 25, upperBound: 35, wateringDuration: 10 },
    reservation: null,
    period: { wateringInterval: 240, wateringDuration: 5, repeat: false },
  });
});

it.each([
  ["2026-11-21T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
  [null, undefined],
  ["yesterday", undefined],
])("[WAT-3] a period counts from %s: %s", (periodFrom, countsFrom) => {
  const { period } = modesOf({ period: 1, periodTime: 240, periodWatering: 5, periodFrom });
  expect(period?.countsFrom).toBe(countsFrom);
});

it("[spec 4] shows an empty report as unknown with no mode", () => {
  expect(onoffOf({})).toBe(0);
  expect(modesOf({})).toEqual({ active: "none", automatic: null, reservation: null, period: null });
});

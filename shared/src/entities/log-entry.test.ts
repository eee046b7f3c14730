import { expect, it } from "vitest";
import { parse } from "../schema/parse.ts";
import { LogEntry, measurementsOf } from "./log-entry.ts";

it("[rest-contract] reads aliases and numbers sent as text, and treats everything else as missing", () => {
  const entry = {
    sensorId: 1,
    createdDate: "2026-11-21 12:00",
    temp: "21.5",
    mois: 30,
    rssi: -70,
    svp: 3,
    co2: null,
  };
  expect(measurementsOf({ ...entry, note: "wet", solar: Number.NaN })).toEqual({
    temperature: 21.5,
    moisture: 30,
    co2: null,
    solar: null,
  });
});

it("[rest-contract] accepts a log entry with unknown fields", () => {
  expect(parse(LogEntry, { createdDate: "2026-11-21 12:00", glow: 3 })).toMatchObject({ ok: true });
  expect(parse(LogEntry, { glow: 3 })).toMatchObject({ ok: false });
});

import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { expect, test } from "vitest";
import { withEarlierFields } from "./device-handler.ts";
import { polledReading } from "./normalise-reading.ts";

const FIRST = "2026-11-21T03:00:00.000Z";
const SECOND = "2026-11-21T04:00:00.000Z";
const reading = (
  values: Record<string, number | null>,
  fieldTimes: Record<string, string> | null = null,
) => ({
  values,
  fieldTimes,
  at: Date.parse(SECOND),
  heardAt: Date.parse(SECOND),
  via: "mqtt" as const,
});

test("[SUB-8] a field missing from a newer reading keeps its value and time, or its older time if it has one", () => {
  const known = {
    reading: { moisture: 44, soilTemperature: 11, rssi: -70, odd: 3 },
    at: SECOND,
    fieldTimes: { soilTemperature: FIRST },
  };
  expect(withEarlierFields(reading({ battery: 77, moisture: null, rssi: null }), known)).toEqual({
    reading: { battery: 77, moisture: 44, soilTemperature: 11, rssi: -70 },
    fieldTimes: { moisture: SECOND, soilTemperature: FIRST },
  });
});

test("[SUB-8] a field that returns takes the reading's time; times of older fields sent by the API are kept", () => {
  const known = { reading: { moisture: 44, battery: 70 }, at: FIRST, fieldTimes: { battery: FIRST } };
  expect(withEarlierFields(reading({ moisture: 45, battery: 71 }), known)).toEqual({
    reading: { moisture: 45, battery: 71 },
    fieldTimes: null,
  });
  expect(
    withEarlierFields(reading({ moisture: 45, battery: 71 }, { battery: FIRST }), known).fieldTimes,
  ).toEqual({
    battery: FIRST,
  });
});

test("[SUB-8] the first reading of a sensor has no earlier fields", () => {
  expect(withEarlierFields(reading({ moisture: 45 }), { reading: null, at: null })).toEqual({
    reading: { moisture: 45 },
    fieldTimes: null,
  });
});

test("[SUB-8] a polled row whose fields are all of its own time has no times of older fields", () => {
  const row = { sensorId: "farm-1", createdDate: "2026-11-21T04:00:00", moisture: "45", fieldTimes: {} };
  const clock = { zone: createApiTimeZone("Asia/Seoul"), now: Date.now };
  expect(polledReading(row, "latest", clock).fieldTimes).toBeNull();
});

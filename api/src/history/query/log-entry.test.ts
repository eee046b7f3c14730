import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { expect, test } from "vitest";
import { latestEntryOf } from "./log-entry.ts";

const ZONE = createApiTimeZone("Asia/Seoul");
const AT = Date.UTC(2026, 10, 21, 3, 0, 0);

test.each([
  [-240_000, true],
  [-30_000, true],
  [-1_000, false],
  [0, false],
  [1_900, false],
  [2_000, true],
  [7_400, true],
  [45_000, true],
  [3_600_000, true],
])(
  "[FLIP-1] an entry names the arrival of a reading that came %i ms after its measurement: %s",
  (ms, isNamed) => {
    const latest = {
      ...{ sensorId: "s1", at: AT, receivedAt: AT + ms, fwversion: null, rssi: null },
      ...{ fields: { moisture: 25 }, fieldTimes: {} },
    };
    const { receivedAt } = latestEntryOf(latest, "SMS", ZONE);
    expect(receivedAt).toBe(isNamed ? new Date(AT + ms).toISOString() : undefined);
  },
);

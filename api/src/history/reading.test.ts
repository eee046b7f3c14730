import fc from "fast-check";
import { expect, it } from "vitest";
import { type Fields, type LatestReading, mergeLatest, type Reading } from "./reading.ts";

const field = fc.integer({ min: 0, max: 9 });
const reading = fc.record({
  at: fc.integer({ min: 1, max: 6 }),
  fields: fc.record({ moisture: field, battery: field, ec: field }, { requiredKeys: [] }),
});

it("[history] keeps the newest value of each field and its time, in whatever order the readings come", () => {
  fc.assert(
    fc.property(fc.array(reading, { minLength: 1, maxLength: 8 }), (rows) => {
      const of = (row: { at: number; fields: Fields }): Reading => ({
        sensorId: "one",
        receivedAt: row.at,
        fwversion: null,
        rssi: null,
        ...row,
      });
      const merged = rows.reduce<LatestReading | undefined>(
        (known, row) => mergeLatest(known, of(row)),
        undefined,
      );
      expect(merged?.at).toBe(Math.max(...rows.map(({ at }) => at)));
      for (const name of ["moisture", "battery", "ec"] as const) {
        const having = rows.filter(({ fields }) => fields[name] !== undefined);
        const best = having.reduce<(typeof having)[number] | undefined>(
          (one, other) => (one && one.at >= other.at ? one : other),
          undefined,
        );
        expect(merged?.fields[name]).toBe(best?.fields[name]);
        if (best) expect(merged?.fieldTimes[name] ?? merged?.at).toBe(best.at);
      }
    }),
  );
});

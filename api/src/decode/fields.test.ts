import { DEVICE_TYPES } from "@mulkko/shared/catalogue/registry";
import { isVolts } from "@mulkko/shared/rules/device-health";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFields } from "./fields.ts";

describe("[ingest] fields", () => {
  test.each([
    ["a number", 21.5, { fields: { moisture: 21.5 }, faults: [] }],
    ["text", " 21.5 ", { fields: { moisture: 21.5 }, faults: [] }],
    ["an exact zero", 0, { fields: { moisture: 0 }, faults: [] }],
    ["null", null, { fields: {}, faults: [] }],
    ["NaN", Number.NaN, { fields: {}, faults: [] }],
    ["NaN in words", "NaN", { fields: {}, faults: [] }],
    ["nothing", "", { fields: {}, faults: [] }],
    ["two dashes", "--", { fields: {}, faults: [] }],
    ["too much", 100.1, { fields: {}, faults: [{ field: "moisture", reason: "out-of-range" }] }],
    ["too little, in words", "-1", { fields: {}, faults: [{ field: "moisture", reason: "out-of-range" }] }],
    ["words", "wet", { fields: {}, faults: [{ field: "moisture", reason: "wrong-type" }] }],
    ["an exponent", "1e1", { fields: { moisture: 10 }, faults: [] }],
    ["hexadecimal", "0x1F", { fields: {}, faults: [{ field: "moisture", reason: "wrong-type" }] }],
    ["a unit", "30 %", { fields: {}, faults: [{ field: "moisture", reason: "wrong-type" }] }],
    ["a comma", "23,4", { fields: {}, faults: [{ field: "moisture", reason: "wrong-type" }] }],
    ["a truth", true, { fields: {}, faults: [{ field: "moisture", reason: "wrong-type" }] }],
    ["a list", [1], { fields: {}, faults: [{ field: "moisture", reason: "wrong-type" }] }],
  ])("[ingest] %s (%o) reads as %o", (_case, raw, expected) => {
    expect(readFields("SMS", { moisture: raw })).toEqual(expected);
  });

  test("[ingest] reads older names; the catalogue's own name takes precedence", () => {
    expect(readFields("FMS", { t: 20, mois: "30", gyro: 2 }).fields).toEqual({
      temperature: 20,
      moisture: 30,
      gyroActivity: 2,
    });
    expect(readFields("FMS", { temperature: 21, temp: 99 }).fields).toEqual({ temperature: 21 });
  });

  test("[BAT-2] no percentage of a device is taken for volts, as a number or as text", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), fc.boolean(), (percent, isText) => {
        const { battery } = readFields("SMS", { battery: isText ? String(percent) : percent }).fields;
        if (battery === undefined) throw new Error(`${percent} % was not stored`);
        expect(isVolts(battery)).toBe(false);
        expect(Math.abs(battery - percent)).toBeLessThanOrEqual(0.5);
      }),
    );
    expect(readFields("SMS", { battery: 3.94 }).fields).toEqual({ battery: 4 });
    expect(readFields("SMS", { battery: 15.4 }).fields).toEqual({ battery: 15.4 });
  });

  test("[ingest] ignores fields that the type does not have; an unknown type may have any field", () => {
    expect(readFields("SMS", { co2: 400, toString: 5, __proto__: 6 })).toEqual({ fields: {}, faults: [] });
    expect(readFields("NEWTYPE", { co2: 400, foo: 5 }).fields).toEqual({ co2: 400 });
  });

  test("[ingest] treats false zeros of absent sensors as faults: dry air, air without carbon dioxide", () => {
    const { fields, faults } = readFields("CO2", { humidity: 0, co2: 0, temperature: 0 });
    expect(fields).toEqual({ temperature: 0 });
    expect(faults.map(({ field }) => field)).toEqual(["humidity", "co2"]);
  });

  test("[ingest] rejects a count with a fraction", () => {
    expect(readFields("WATERFLOW", { pumpopencount: 3 }).fields).toEqual({ pumpopencount: 3 });
    expect(readFields("WATERFLOW", { pumpopencount: 3.5 }).faults).toHaveLength(1);
  });

  test("[ingest] accepts only fields within their range, for any message", () => {
    const types = DEVICE_TYPES.map(({ type }) => type);
    const names = [...new Set(DEVICE_TYPES.flatMap(({ fields }) => fields.map(({ name }) => name)))];
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.double(), fc.jsonValue(), fc.string())),
        (type, message) => {
          const { fields } = readFields(type, message);
          const specs = DEVICE_TYPES.find((entry) => entry.type === type)?.fields ?? [];
          for (const [name, value] of Object.entries(fields)) {
            const spec = specs.find((field) => field.name === name);
            expect(value).toBeGreaterThanOrEqual(spec?.range[0] ?? Number.NaN);
            expect(value).toBeLessThanOrEqual(spec?.range[1] ?? Number.NaN);
          }
        },
      ),
    );
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { readValue, valueText } from "./value-text.ts";

const SOIL = {
  info: {
    id: "10000000-0000-4000-8000-000000000001",
    name: "토양 1",
    deviceType: "SMS",
    serial: 100_001,
    description: "",
    crops: "",
    latitude: 36.19,
    longitude: 127.1,
    widget: true,
    clusterId: 1,
    chNums: null,
    imagePath: null,
    clusters: [{ id: 1, name: "House 1" }],
    userId: "00000000-0000-4000-8000-000000000001",
  },
  reading: { soilTemperature: 18.2, moisture: 32.4, battery: 88, rssi: -71, fwversion: "1.2" },
  at: "2026-11-22T03:00:00.000Z",
  heardAt: "2026-11-22T03:00:01.000Z",
  quality: "fresh",
  via: "mqtt",
};

test("[NODE-2] every value is read from the store as it was written", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('","name":"', "\u0000", "\u001f", "\\u0001", ',"at":"20', '{"info":{"id":"'),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      anyText,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(anyText, tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(anyText, value, { maxKeys: 6 }), (any) => {
      const wanted: unknown = JSON.parse(JSON.stringify(any));
      expect(readValue(valueText(any))).toEqual(wanted);
    }),
  );
  expect(readValue(valueText(SOIL))).toEqual(SOIL);
});

test("[NODE-2] a sensor's value takes less than half of its text in the store", () => {
  expect(Buffer.byteLength(valueText(SOIL))).toBeLessThan(Buffer.byteLength(JSON.stringify(SOIL)) / 2);
});

test("[NODE-6] a value stored as plain JSON is read", () => {
  expect(readValue(JSON.stringify(SOIL))).toEqual(SOIL);
});

test("[NODE-2] the format of stored values stays the same", () => {
  expect(readValue('\u00001"},"quality":"fresh"\u0017')).toEqual({
    info: { id: "1" },
    quality: "fresh",
    via: "mqtt",
  });
  expect(valueText({ controllerId: "c", number: 2, onoff: 1 })).toBe('\u0018c"\u00192\u001b1}');
});

test("[NODE-2] a text without an object is no value", () => {
  for (const text of ["", "[]", "7", "\u0001", "\u001f", "{"]) expect(readValue(text)).toBeUndefined();
});

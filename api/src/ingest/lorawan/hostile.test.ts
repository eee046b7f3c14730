import fc from "fast-check";
import { expect, test } from "vitest";
import { chirpstackUp, thingsStackUp } from "../../../testing/lorawan/network-messages.ts";
import { readChirpstack } from "./chirpstack.ts";
import { compileProfile } from "./compile-profile.ts";
import { applyProfile } from "./profile.ts";
import { readThingsStack } from "./things-stack.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);
const EUI = "a84041000181c061";

const profile = compileProfile("test", {
  name: "test",
  maker: "Maker",
  model: "Model",
  source: "https://example.org/codec.js",
  licence: "MIT",
  deviceTypes: ["SMS", "WATERFLOW"],
  fields: {
    moisture: { path: "a.b", unit: "m³/m³", missing: [-1, "error"], words: { wet: 1 } },
    soilTemperature: { path: "a[id=4].b", scale: 1e300 },
    battery: {
      path: "a[0].b",
      table: [
        [2, 0],
        [3, 100],
      ],
    },
    speed: { path: "a", dividedBy: "b" },
  },
  history: { path: "log", at: { path: "b", format: "unix-s" } },
});

// Names that the profile reads, and names with a meaning in JavaScript.
const key = fc.constantFrom(
  "a",
  "b",
  "id",
  "log",
  "toString",
  "valueOf",
  "__proto__",
  "constructor",
  "length",
  "",
);
const leaf = fc.oneof(
  fc.constantFrom(null, true, "", "wet", "error", "12.3", "1e999", "NaN", -1, 4, 0, 1e308, 1_700_000_000),
  fc.double(),
  fc.string(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 5 }),
  ),
}));
/** As received. */
const json = value.map((one): unknown => JSON.parse(JSON.stringify(one)));
const isRecord = (one: unknown): one is Record<string, unknown> =>
  typeof one === "object" && one !== null && !Array.isArray(one);

test("[uplink] for any codec output, readings are finite numbers at plausible times", () => {
  fc.assert(
    fc.property(json.filter(isRecord), fc.constantFrom("SMS", "WATERFLOW", "XYZ"), (decoded, type) => {
      const { readings } = applyProfile(profile, { decoded, at: NOW, battery: 50 }, type, NOW);
      for (const { at, fields } of readings) {
        expect(at).toBeGreaterThan(Date.UTC(2000, 0, 1));
        expect(at).toBeLessThanOrEqual(NOW + 300_000);
        expect(Object.values(fields).every(Number.isFinite)).toBe(true);
      }
    }),
    { numRuns: 5_000 },
  );
});

test("[uplink] classifies any message or member without throwing", () => {
  const kinds = ["uplink", "ignored", "refused"];
  const members = fc.constantFrom(
    ...Object.keys(chirpstackUp({ devEui: EUI })),
    ...Object.keys(thingsStackUp({ devEui: EUI })),
    "object",
    "simulated",
  );
  fc.assert(
    fc.property(members, json, (member, anything) => {
      for (const message of [
        anything,
        { ...chirpstackUp({ devEui: EUI, decoded: {} }), [member]: anything },
      ]) {
        expect(kinds).toContain(readChirpstack("up", message, NOW).kind);
      }
      for (const message of [
        anything,
        { ...thingsStackUp({ devEui: EUI, decoded: {} }), [member]: anything },
      ]) {
        expect(kinds).toContain(readThingsStack("up", message, NOW).kind);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("[uplink] objects that refuse conversion are neither numbers, times nor names", () => {
  const trap = { toString: 1, valueOf: 1 };
  const decoded = { a: [{ id: trap, b: trap }], b: trap, log: [{ b: trap, a: trap }] };
  expect(applyProfile(profile, { decoded, at: NOW, battery: null }, "SMS", NOW)).toEqual({
    readings: [],
    faults: [
      { field: "battery", reason: "wrong-type" },
      { field: "history", reason: "bad-time" },
    ],
  });
});

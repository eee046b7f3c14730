import { describe, expect, test } from "vitest";
import { compileProfile, ProfileError } from "./compile-profile.ts";
import { applyProfile, MAX_HISTORY } from "./profile.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);

const file = (more: object): object => ({
  name: "test",
  maker: "Maker",
  model: "Model",
  source: "https://example.org/codec.js",
  licence: "MIT",
  deviceTypes: ["SMS"],
  fields: { moisture: { path: "m" } },
  ...more,
});

const apply = (
  more: object,
  decoded: Record<string, unknown>,
  type = "SMS",
  battery: number | null = null,
): ReturnType<typeof applyProfile> =>
  applyProfile(compileProfile("test", file(more)), { decoded, at: NOW, battery }, type, NOW);

const one = (rule: object, raw: unknown, name = "moisture", type = "SMS"): number | undefined => {
  const { readings } = apply({ deviceTypes: [type], fields: { [name]: rule } }, { raw }, type);
  const fields: Readonly<Record<string, number | undefined>> = readings[0]?.fields ?? {};
  return fields[name];
};

describe("[uplink] conversions", () => {
  test.each([
    ["°F", 212, "temperature", "AT", 100],
    ["°F", -40, "temperature", "AT", -40],
    ["K", 273.15, "temperature", "AT", 0],
    ["kPa", 101.325, "pressure", "AT", 1_013.25],
    ["Pa", 96_412, "pressure", "AT", 964.12],
    ["inHg", 29.92, "pressure", "AT", 1_013.2075888],
    ["kPa", 1.8, "vpd", "AT", 1_800],
    ["hPa", 18, "vpd", "AT", 1_800],
    ["mS/cm", 1.25, "ec", "SSH", 1.25],
    ["µS/cm", 1_250, "ec", "SSH", 1.25],
    ["mS/m", 125, "ec", "SSH", 1.25],
    ["km/h", 36, "windS", "ATS02", 10],
    ["in", 1, "rain", "ATS02", 25.4],
    ["klx", 54, "illuminance", "ATS02", 54_000],
    ["m³/m³", 0.315, "moisture", "SMS", 31.5],
    ["m", 4.232, "l", "WATERLEVEL", 423.2],
    ["m³", 1.5, "flowmeter", "WATERFLOW", 1_500],
    ["m³/h", 6, "speed", "WATERFLOW", 100],
  ])("[uplink] %s: %s as %s of %s is %s", (unit, raw, name, type, wanted) => {
    expect(one({ path: "raw", unit }, raw, name, type)).toBeCloseTo(wanted, 8);
  });

  test.each([
    [1.9, 0],
    [2, 0],
    [2.25, 10],
    [2.5, 20],
    [2.9, 84],
    [3, 100],
    [3.6, 100],
    ["2.25", 10],
  ])("[uplink] a battery of %s V is at %s %", (volts, percent) => {
    const table = [
      [2, 0],
      [2.5, 20],
      [3, 100],
    ];
    expect(one({ path: "raw", table }, volts, "battery")).toBeCloseTo(percent, 9);
  });

  test.each([
    [65_535, undefined],
    ["65535", undefined],
    [" ERROR ", undefined],
    ["12.3", 12.3],
    [" 12.3 ", 12.3],
    ["", undefined],
    [null, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [true, undefined],
    [{ value: 12 }, undefined],
    [[12], undefined],
    ["wet", 80],
    ["Dry", 5],
  ])("[uplink] a value of %o is %s", (raw, wanted) => {
    expect(one({ path: "raw", missing: [65_535, "error"], words: { wet: 80, dry: 5 } }, raw)).toBe(wanted);
  });

  test("[uplink] scales and shifts a raw count before its unit is applied", () => {
    expect(one({ path: "raw", scale: 0.1, offset: -40 }, 650, "soilTemperature")).toBe(25);
    expect(one({ path: "raw", scale: 0.1, unit: "°F" }, 770, "soilTemperature")).toBeCloseTo(25, 9);
  });

  test("[uplink] a division by a missing value or zero leaves the field missing", () => {
    const fields = { speed: { path: "n", dividedBy: "t", unit: "L/s" } };
    const more = { deviceTypes: ["WATERFLOW"], fields };
    expect(apply(more, { n: 4, t: 600 }, "WATERFLOW").readings[0]?.fields).toEqual({ speed: 0.4 });
    for (const t of [0, null, "x", undefined])
      expect(apply(more, { n: 4, t }, "WATERFLOW").readings).toEqual([]);
  });
});

describe("[uplink] readings of a frame", () => {
  test("[uplink] reports an impossible value as a fault, and keeps the other fields", () => {
    const more = { fields: { moisture: { path: "m" }, battery: { path: "b" } } };
    expect(apply(more, { m: 130, b: 50 })).toEqual({
      readings: [{ at: NOW, fields: { battery: 50 } }],
      faults: [{ field: "moisture", reason: "out-of-range" }],
    });
    expect(apply(more, { m: "wet", b: 50 }).faults).toEqual([{ field: "moisture", reason: "wrong-type" }]);
    expect(apply(more, { m: { deep: 1 } })).toEqual({
      readings: [],
      faults: [{ field: "moisture", reason: "wrong-type" }],
    });
  });

  test.each([3.94, 2.5, 4.3])(
    "[BAT-2] stores %s %% of a network server, a profile and a table as no voltage",
    (percent) => {
      const more = { fields: { moisture: { path: "m" } } };
      const battery = Math.round(percent);
      expect(apply(more, { m: 30 }, "SMS", percent).readings[0]?.fields).toEqual({ moisture: 30, battery });
      expect(one({ path: "raw" }, percent, "battery")).toBe(battery);
      const table = [
        [0, 0],
        [1, 100],
      ];
      expect(one({ path: "raw", table }, percent / 100, "battery")).toBe(battery);
    },
  );

  test("[uplink] uses the network server's battery where the device sent none and its type has one", () => {
    const more = { fields: { moisture: { path: "m" }, battery: { path: "b" } } };
    expect(apply(more, { m: 30 }, "SMS", 71).readings[0]?.fields).toEqual({ moisture: 30, battery: 71 });
    expect(apply(more, { m: 30, b: 60 }, "SMS", 71).readings[0]?.fields).toEqual({
      moisture: 30,
      battery: 60,
    });
    expect(apply(more, {}, "SMS", 71).readings).toEqual([]);
    const air = { deviceTypes: ["AT"], fields: { temperature: { path: "t" } } };
    expect(apply(air, { t: 20 }, "AT", 71).readings[0]?.fields).toEqual({ temperature: 20 });
  });

  test("[uplink] a path ignores inherited members", () => {
    for (const path of ["constructor.length", "__proto__.x", "a.toString", "list.length"]) {
      expect(apply({ fields: { moisture: { path } } }, { a: {}, list: [1, 2] }).readings).toEqual([]);
    }
  });

  test("[uplink] a path selects list entries by index and by a member", () => {
    const decoded = { list: [{ id: 7, v: 11 }, { id: 8, v: 12 }, null, 5] };
    const at = (path: string): unknown =>
      apply({ fields: { moisture: { path } } }, decoded).readings[0]?.fields;
    expect(at("list[0].v")).toEqual({ moisture: 11 });
    expect(at("list[id=8].v")).toEqual({ moisture: 12 });
    expect(at("list[3]")).toEqual({ moisture: 5 });
    expect(at("list[9].v")).toBeUndefined();
    expect(at("list[id=9].v")).toBeUndefined();
  });
});

describe("[uplink] history", () => {
  const history = { path: "log", at: { path: "t", format: "unix-s" } };
  const seconds = NOW / 1_000;

  test("[uplink] earlier measurements become readings with their own times beside the current one", () => {
    const log = [
      { t: seconds - 7_200, m: 28 },
      { t: String(seconds - 3_600), m: 29 },
    ];
    expect(apply({ history }, { m: 30, log })).toEqual({
      readings: [
        { at: NOW, fields: { moisture: 30 } },
        { at: NOW - 7_200_000, fields: { moisture: 28 } },
        { at: NOW - 3_600_000, fields: { moisture: 29 } },
      ],
      faults: [],
    });
  });

  test.each([
    [{ m: 1 }, "bad-time"],
    [{ t: "soon", m: 1 }, "bad-time"],
    [{ t: 0, m: 1 }, "bad-time"],
    [{ t: 1e300, m: 1 }, "bad-time"],
    [{ t: seconds + 3_600, m: 1 }, "from-future"],
    [null, "bad-time"],
  ])("[uplink] of the entry %o the time is a fault: %s", (entry, reason) => {
    const good = { t: seconds - 60, m: 2 };
    expect(apply({ history }, { log: [entry, good] })).toEqual({
      readings: [{ at: NOW - 60_000, fields: { moisture: 2 } }],
      faults: [{ field: "history", reason }],
    });
  });

  test("[uplink] an invalid or oversized history is a fault, and the current reading stays", () => {
    const long = Array.from({ length: MAX_HISTORY + 1 }, () => ({ t: seconds, m: 1 }));
    for (const [log, reason] of [
      ["many", "wrong-type"],
      [long, "too-large"],
    ]) {
      expect(apply({ history }, { m: 30, log })).toEqual({
        readings: [{ at: NOW, fields: { moisture: 30 } }],
        faults: [{ field: "history", reason }],
      });
    }
  });

  test("[uplink] times may also be milliseconds or text with a zone", () => {
    const at = (format: string, t: unknown): number | undefined =>
      apply({ history: { path: "log", at: { path: "t", format } } }, { log: [{ t, m: 1 }] }).readings[0]?.at;
    expect(at("unix-ms", NOW - 5)).toBe(NOW - 5);
    expect(at("iso", "2026-11-21T11:00:00+09:00")).toBe(NOW - 3_600_000);
    expect(at("iso", "2026-11-21 11:00")).toBeUndefined();
  });
});

describe("[uplink] profile files", () => {
  test.each([
    [{ name: "other" }, "calls itself other"],
    [{ licence: undefined }, "licence"],
    [{ source: "ftp://x" }, "/source"],
    [{ extra: 1 }, "cannot be used"],
    [{ deviceTypes: ["XYZ"] }, "XYZ is no device type"],
    [{ deviceTypes: ["ATS02"] }, "no field for a device of type ATS02"],
    [{ fields: {} }, "/fields"],
    [{ fields: { wetness: { path: "m" } } }, "wetness is not a field"],
    [{ fields: { moisture: { path: "m", unit: "°F" } } }, "°F is not a unit of moisture"],
    [{ fields: { moisture: { path: "m", unit: "V" } } }, "/fields/moisture"],
    [{ fields: { moisture: { path: "a..b" } } }, '"a..b" is not a path'],
    [{ fields: { moisture: { path: "a[x]" } } }, '"a[x]" is not a path'],
    [{ fields: { moisture: { path: "a", dividedBy: "[0]" } } }, '"[0]" is not a path'],
    [{ fields: { moisture: { path: "m", table: [[1, 0]] } } }, "/fields/moisture/table"],
    [
      {
        fields: {
          moisture: {
            path: "m",
            table: [
              [3, 0],
              [2, 100],
            ],
          },
        },
      },
      "the table of moisture is not in ascending order",
    ],
  ])("[uplink] %o is refused with a sentence", (more, words) => {
    expect(() => compileProfile("test", file(more))).toThrow(ProfileError);
    expect(() => compileProfile("test", file(more))).toThrow(words);
  });
});

import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { Account } from "../entities/account.ts";
import { Controller } from "../entities/controller.ts";
import { ControllerState } from "../entities/controller-state.ts";
import { Farm } from "../entities/farm.ts";
import { LogEntry } from "../entities/log-entry.ts";
import { Notification } from "../entities/notification.ts";
import { Sensor } from "../entities/sensor.ts";
import { mend } from "./mend.ts";
import { matches } from "./parse.ts";

/** Shapes that a field may have in a farm API and that are seldom intended. */
const SHAPES: readonly (readonly [name: string, value: unknown])[] = [
  ["null", null],
  ["an empty text", ""],
  ["a word", "Y"],
  ["a number as text", "4"],
  ["a fraction", 1.5],
  ["a negative number", -1],
  ["no number", Number.NaN],
  ["true", true],
  ["an object", { a: 1 }],
  ["a list", [2026, 11, 23, 6, 14]],
  ["a list of null", [null]],
  ["a list of an object without an id", [{ id: null, serial: {} }]],
];

const ENTITIES = [
  ["sensor", Sensor, { id: 7, deviceType: "SMS", serial: 1 }],
  ["controller", Controller, { id: 7, serial: 1 }],
  ["farm", Farm, { id: 7, name: "논산" }],
  ["log entry", LogEntry, { createdDate: "2026-11-23 06:14:00" }],
  ["notification", Notification, { type: "BATTERY", message: "m", createdDate: "2026-11-23 06:14:00" }],
  ["channel state", ControllerState, {}],
  ["account", Account, { id: 7, username: "farmer" }],
] as const;

const CASES = ENTITIES.flatMap(([name, schema, least]) =>
  Object.keys(schema.properties).flatMap((field) =>
    SHAPES.map(([shape, value]) => ({ name, schema, least, field, shape, value })),
  ),
);

/** Without these fields a row can neither be shown nor requested. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  sensor: ["id", "deviceType"],
  controller: ["id"],
  farm: ["id", "name"],
  "log entry": ["createdDate"],
  notification: ["type", "message", "createdDate"],
  account: ["id", "username"],
};

describe("[ROW-1] a row with one odd field", () => {
  it.each(CASES)("[ROW-1] $name: $field as $shape", ({ name, schema, least, field, value }) => {
    const row = { ...least, future: "kept", [field]: value };
    const list = mend(Type.Array(schema), [row, { ...least }]);
    if (!list.ok) throw new Error("a list was refused for one row");
    const [other] = list.value.slice(-1);
    expect(other).toEqual(least);
    const isNeeded = NEEDED[name]?.includes(field) ?? false;
    if (!isNeeded) {
      expect(list.value).toHaveLength(2);
      const others = Object.fromEntries(Object.entries(least).filter(([name]) => name !== field));
      expect(list.value[0]).toMatchObject({ ...others, future: "kept" });
    }
    for (const each of list.value) expect(matches(schema, each)).toBe(true);
    // A sent value is used, read as its meaning, or named as odd.
    const kept: unknown = list.value.length === 2 ? Object(list.value[0])[field] : undefined;
    if (kept === undefined || (kept === null && value !== null && value !== "")) {
      expect(list.odd.length).toBeGreaterThan(0);
    }
  });
});

describe("[ROW-1] results of odd fields", () => {
  const mended = (row: object) => {
    const read = mend(Type.Array(Sensor), [{ id: 7, deviceType: "SMS", serial: 1, ...row }]);
    if (!read.ok) throw new Error(read.message);
    return { row: read.value[0], odd: read.odd.map(({ field }) => field) };
  };

  it("[ROW-1] reads numbers, texts and booleans that are sent as another type", () => {
    expect(
      mended({ latitude: "36.5", chNums: "4", name: 12, widget: "Y", clusterId: "", serial: "2411" }),
    ).toEqual({
      row: {
        ...{ id: 7, deviceType: "SMS", serial: "2411" },
        ...{ latitude: 36.5, chNums: 4, name: "12", widget: true, clusterId: null },
      },
      odd: [],
    });
  });

  it("[ROW-1] leaves out unreadable fields, names them, and keeps the rest", () => {
    const odd = {
      description: { ko: "밭" },
      latestLog: [{ createdDate: 3 }],
      clusters: [{ id: null }],
    };
    expect(mended({ ...odd, crops: "상추", mood: "wet" })).toEqual({
      row: { id: 7, deviceType: "SMS", serial: 1, crops: "상추", mood: "wet", clusters: [] },
      odd: ["description", "clusters", "latestLog"],
    });
  });

  it.each([
    [[2026, 11, 23], "2026-11-23 00:00:00"],
    [[2026, 11, 28, 9, 30], "2026-11-28 09:30:00"],
    [[2026, 1, 8, 9, 5, 7, 120_000_000], "2026-01-08 09:05:07"],
    [[9, 30], ""],
    [["2026", 1, 8], ""],
    [{ seconds: 3 }, ""],
    [null, ""],
    [undefined, ""],
  ])("[ROW-1] the time %j is read as %j, and costs no row", (createdDate, text) => {
    expect(mended({ latestLog: { createdDate, moisture: 31 } }).row).toMatchObject({
      latestLog: { createdDate: text, moisture: 31 },
    });
  });

  it("[ROW-1] makes an unreadable serial null, and accepts one of letters", () => {
    expect(mended({ serial: { no: 1 } })).toEqual({
      row: { id: 7, deviceType: "SMS", serial: null },
      odd: ["serial"],
    });
    expect(mended({ serial: "A84041FFFF1" }).row).toMatchObject({ serial: "A84041FFFF1" });
  });

  it("[ROW-1] leaves out a row without an id or a type, and names it", () => {
    const read = mend(Type.Array(Sensor), [
      { id: null, deviceType: "SMS", serial: 1 },
      { id: 8, deviceType: null, serial: 1 },
      { id: 9, deviceType: "SMS", serial: 1 },
    ]);
    expect(read).toMatchObject({
      ok: true,
      value: [{ id: 9 }],
      odd: [
        { field: "", row: null },
        { field: "", row: "8" },
      ],
    });
  });

  it("[ROW-1] names the row of a field deep within", () => {
    const channels = [{ id: 11, channelNumber: "1", sensors: [{ id: 1, serial: "no number" }] }];
    const read = mend(Type.Array(Controller), [{ id: 3, serial: 1, channels }]);
    expect(read).toMatchObject({
      ok: true,
      value: [{ id: 3, channels: [{ id: 11, channelNumber: 1, sensors: [{ id: 1 }] }] }],
      odd: [{ field: "channels.sensors.serial", row: "3" }],
    });
  });

  it("[ROW-1] refuses an answer that is not a list", () => {
    expect(mend(Type.Array(Sensor), "<html>")).toMatchObject({ ok: false });
    expect(mend(Sensor, { id: 1 })).toMatchObject({ ok: false });
  });
});

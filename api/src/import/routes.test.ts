// This file is long because one farm receives import after import: files, rules, faults and restarts.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ImportProgress, ImportStarted } from "@mulkko/shared/rest/import";
import { importBegin, importProgress } from "@mulkko/shared/rest/operations/admin";
import { logRange } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendImport } from "../../testing/import/import-form.ts";
import { GREENHOUSE, readSlice, streamMapping, wateringMapping } from "../../testing/import/slices.ts";
import { SOIL, startTestFarm, type TestFarm, WEATHER } from "../../testing/test-farm.ts";

const UNKNOWN_ID = "99999999-0000-4000-8000-000000000009";
const STREAM = 500_001;
const METER = 500_002;

let farm: TestFarm;
let overseer = "";
beforeAll(async () => {
  farm = await startTestFarm();
  overseer = (await farm.signIn("overseer")).authorization;
  const { authorization } = await farm.signIn("farmer-one");
  for (const [serial, deviceType] of [
    [STREAM, "NUTRIENT"],
    [METER, "WATERFLOW"],
  ] as const) {
    const payload = { name: deviceType, serial, deviceType };
    await farm.app.inject({ method: "POST", url: sensorAdd.path, headers: { authorization }, payload });
  }
});
afterAll(() => farm.close());

const ask = (method: "GET" | "DELETE", id: string, authorization = overseer) =>
  farm.app.inject({ method, url: pathTo(importProgress, { id }), headers: { authorization } });

async function begin(file: string | Buffer, mapping: object): Promise<string> {
  const answer = await sendImport(farm, overseer, file, mapping);
  expect([answer.statusCode, answer.body]).toEqual([202, expect.stringContaining("id")]);
  const started = parse(ImportStarted, answer.json());
  if (!started.ok) throw new Error(answer.body);
  return started.value.id;
}

async function progressOf(id: string): Promise<ImportProgress> {
  const parsed = parse(ImportProgress, (await ask("GET", id)).json());
  if (!parsed.ok) throw new Error(`${parsed.path} ${parsed.message}`);
  return parsed.value;
}

async function finish(id: string): Promise<ImportProgress> {
  for (;;) {
    const progress = await progressOf(id);
    if (progress.state !== "running") return progress;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const importAll = async (file: string | Buffer, mapping: object): Promise<ImportProgress> =>
  finish(await begin(file, mapping));

const stored = (serial: number) =>
  farm.app.database.query<{ at: number; [field: string]: unknown }>(
    "select reading.* from reading join device on device.id = sensor_id where serial = $1 order by at",
    [serial],
  );

/** Build a mapping for two columns, of which the second is soil moisture. */
const moisture = (more: object = {}, field: object = {}) => ({
  time: { columns: ["at"], format: "YYYY-MM-DD HH:mm", zone: "Asia/Seoul" },
  sensors: [{ serial: SOIL.serial, fields: { moisture: { column: "moisture", ...field } } }],
  ...more,
});

/** The same columns by their places. */
const PLACES = {
  time: { columns: [1], format: "YYYY-MM-DD HH:mm", zone: "Asia/Seoul" },
  sensors: [{ serial: SOIL.serial, fields: { moisture: { column: 2 } } }],
};

test("[import] greenhouse: every sensor of a wide file, without its footer, and false zeros reported individually", async () => {
  const file = await readSlice("greenhouse");
  const progress = await importAll(file, GREENHOUSE);
  // 11 rows: soil in 8, the station in 8; 7 of these have neither a valid pressure nor a valid humidity.
  expect(progress).toMatchObject({
    state: "done",
    problem: null,
    bytesRead: file.length,
    bytesTotal: file.length,
    rows: 11,
    rowsIgnored: 1,
    rowsEmpty: 0,
    rowsRejected: 0,
    valuesRejected: 14,
    readingsStored: 16,
    readingsKnown: 0,
    reasons: { "out-of-range": 14 },
  });
  expect(progress.rejects[0]).toEqual({
    line: 3,
    column: "Weather solutions station Pantar Tuinderij - Air pressure (hPa) - averages",
    reason: "out-of-range",
    value: "0",
  });
  const good = (await stored(WEATHER.serial)).find(({ at }) => at === Date.UTC(2020, 7, 16, 11, 0));
  expect(good).toMatchObject({
    pressure: 1010.6,
    rain: 0.1,
    humidity: 62,
    temperature: 27.2,
    windD: 86,
    windS: 3.6,
  });
  expect((await stored(SOIL.serial)).map((row) => row.moisture)).toEqual([
    25.6, 25.6, 25.6, 25.5, 20.7, 20.5, 20.4, 20.4,
  ]);
});

test("[import] stores nothing twice for the same file; with zero as a sentinel, rows of zeros are empty", async () => {
  const progress = await importAll(await readSlice("greenhouse"), { ...GREENHOUSE, missing: [0] });
  expect(progress).toMatchObject({
    rows: 11,
    rowsEmpty: 3,
    valuesRejected: 0,
    readingsStored: 0,
    readingsKnown: 9,
    reasons: {},
  });
});

test("[import] stream: sentinels and NULL are missing, µS/cm becomes dS/m, a fixed offset has no summer time", async () => {
  const progress = await importAll(await readSlice("stream"), streamMapping(STREAM));
  expect(progress).toMatchObject({ rows: 15, readingsStored: 15, valuesRejected: 0, rowsRejected: 0 });
  const rows = await stored(STREAM);
  expect(rows[0]).toMatchObject({ at: Date.UTC(2017, 0, 1, 7, 0), temperature: 0.72, ec: 0.3105, gdo: null });
  expect(rows.filter((row) => row.temperature === null)).toHaveLength(3);
});

test("[import] rejects times skipped by summer time with their line; stored readings stay", async () => {
  const progress = await importAll(await readSlice("stream"), streamMapping(STREAM, "America/Denver"));
  expect(progress).toMatchObject({
    rows: 15,
    rowsRejected: 4,
    readingsStored: 0,
    readingsKnown: 11,
    reasons: { "no-such-time": 4 },
  });
  expect(progress.rejects.map(({ line, column, value }) => [line, column, value])).toEqual([
    [12, "datetime", "2017-03-12 02:00"],
    [13, "datetime", "2017-03-12 02:15"],
    [14, "datetime", "2017-03-12 02:30"],
    [15, "datetime", "2017-03-12 02:45"],
  ]);
});

test("[import] an unmapped sentinel invalidates the value, not the row", async () => {
  const progress = await importAll(await readSlice("stream"), streamMapping(STREAM, "-06:00", []));
  expect(progress).toMatchObject({ rowsRejected: 0, valuesRejected: 3, reasons: { "out-of-range": 3 } });
});

test("[import] watering: of events in the same minute the first counts", async () => {
  const progress = await importAll(await readSlice("watering-events"), wateringMapping(METER));
  // 11 events at 8 different times.
  expect(progress).toMatchObject({ rows: 11, readingsStored: 8, readingsKnown: 3, rowsRejected: 0 });
  const shower = (await stored(METER)).find(({ at }) => at === Date.UTC(2020, 6, 29, 21, 28));
  expect(shower?.speed).toBeCloseTo(7.0376, 3);
});

test("[import] the repeated hour at the end of summer time becomes two hours, in the file's order", async () => {
  const hours = ["01:00", "02:00", "02:00", "03:00"].map((time, index) => `2019-10-27 ${time},${10 + index}`);
  const mapping = moisture({
    time: { columns: ["at"], format: "YYYY-MM-DD HH:mm", zone: "Europe/Amsterdam" },
  });
  expect(await importAll(["at,moisture", ...hours].join("\n"), mapping)).toMatchObject({ readingsStored: 4 });
  const rows = (await stored(SOIL.serial)).filter(({ at }) => at < Date.UTC(2020, 0, 1));
  expect(rows.map(({ at, moisture: value }) => [new Date(at).toISOString().slice(11, 16), value])).toEqual([
    ["23:00", 10],
    ["00:00", 11],
    ["01:00", 12],
    ["02:00", 13],
  ]);
});

test("[import] late readings replace no newer latest value, and count in hours and days", async () => {
  const latest = () =>
    farm.app.database.query<{ at: number }>("select at from latest where sensor_id = $1", [SOIL.id]);
  await importAll("at,moisture\n2026-11-20 12:00,44\n", moisture());
  const before = await latest();
  await importAll("at,moisture\n2026-11-19 12:00,40\n2026-11-19 12:30,42\n", moisture());
  expect(await latest()).toEqual(before);
  const day = await farm.app.inject({
    url: `${pathTo(logRange, { id: SOIL.id, start: "2026-11-19", end: "2026-11-19" })}?buckets=1&fields=moisture`,
    headers: { authorization: overseer },
  });
  expect(day.json().data).toMatchObject([{ count: 2 }]);
  expect(day.json()).toMatchObject({ avgMoisture: 41, minMoisture: 40, maxMoisture: 42 });
});

test("[import] one file for many sensors: reads the serial from a column, and rejects an unknown one", async () => {
  const mapping = {
    delimiter: ";",
    decimal: ",",
    thousands: ".",
    time: { columns: ["day", "hour"], format: ["YYYY.MM.DD A h:mm", "YYYY.MM.DD HH:mm"], zone: "Asia/Seoul" },
    sensors: [
      {
        serialColumn: "serial",
        fields: { moisture: { column: "수분" }, soilTemperature: { column: "지온" } },
      },
    ],
  };
  const text = [
    "\ufeffday;hour;serial;수분;지온",
    '2026.11.01;오후 1:05;100001;"33,5";7,25',
    "2026.11.01;13:10;100001;33.5;8",
    "2026.11.01;13:15;999999;33,5;8",
    "2026.11.01;13:20;200001;33,5;8",
    "2026.11.01;13:25;100004;;9",
    "2026.11.01;13:30;100001;;",
    "",
  ].join("\r\n");
  const progress = await importAll(text, mapping);
  expect(progress).toMatchObject({
    rows: 6,
    rowsEmpty: 1,
    rowsRejected: 2,
    valuesRejected: 1,
    readingsStored: 3,
  });
  expect(progress.rejects).toEqual([
    { line: 3, column: "수분", reason: "wrong-type", value: "33.5" },
    { line: 4, column: "serial", reason: "unknown-serial", value: "999999" },
    { line: 5, column: "serial", reason: "unknown-serial", value: "200001" },
  ]);
  const first = (await stored(SOIL.serial)).find(({ at }) => at === Date.UTC(2026, 10, 1, 4, 5));
  expect(first).toMatchObject({ moisture: 33.5, soilTemperature: 7.25 });
});

test.each([
  ["CR alone", "\r"],
  ["CR LF", "\r\n"],
  ["LF", "\n"],
])(
  "[import] reads a file whose lines end with %s, with the line of what it rejects",
  async (_what, lineEnd) => {
    const rows = ["at,moisture", "2026-11-03 10:00,31", "2026-11-03 10:30,wet", "2026-11-03 11:00,32", ""];
    expect(await importAll(rows.join(lineEnd), moisture())).toMatchObject({
      ...{ state: "done", rows: 3, rowsRejected: 1 },
      rejects: [{ line: 3, column: "moisture" }],
    });
  },
);

test.each([
  ["a header alone", "at,moisture\n", moisture(), "The file has no row of values."],
  ["blank lines", "at,moisture\n\n,\n\n", moisture(), "The file has no row of values."],
  [
    "ignored rows",
    "at,moisture\ntotal,3\n",
    moisture({ ignore: { startingWith: ["total"] } }),
    "1 rows were left out by the mapping.",
  ],
  [
    "skipped lines",
    "at,moisture\n2026-11-03 10:00,31\n",
    moisture({ skipLines: 2, header: false, ...PLACES }),
    "The file has no row of values.",
  ],
])("[import] a file with %s has failed, and says why", async (_what, file, mapping, sentence) => {
  const progress = await importAll(file, mapping);
  expect(progress).toMatchObject({ state: "failed", rows: 0, readingsStored: 0 });
  expect(progress.problem).toContain(sentence);
});

test("[import] counts all rejected rows, and lists the first hundred", async () => {
  const bad = Array.from({ length: 250 }, (_, index) => `never ${index},1`);
  const progress = await importAll(["at,moisture", ...bad, "2099-01-01 00:00,1"].join("\n"), moisture());
  expect(progress).toMatchObject({
    rows: 251,
    rowsRejected: 251,
    reasons: { "bad-time": 250, "from-future": 1 },
  });
  expect(progress.rejects).toHaveLength(100);
  expect(progress.rejects.at(-1)).toEqual({ line: 101, column: "at", reason: "bad-time", value: "never 99" });
});

test.each([
  ["an unknown column", "a,b\n", moisture(), 'The header has no column "at".'],
  ["a column twice", "at,moisture,moisture\n", moisture(), 'The header has the column "moisture" twice'],
  [
    "an unknown field",
    "at,moisture\n",
    moisture({ sensors: [{ serial: SOIL.serial, fields: { love: { column: "at" } } }] }),
    '"love" is not a field',
  ],
  [
    "a field of another type",
    "at,moisture\n",
    moisture({ sensors: [{ serial: SOIL.serial, fields: { ph: { column: "at" } } }] }),
    "is a SMS, which has no field ph",
  ],
  [
    "an unknown serial",
    "at,moisture\n",
    moisture({ sensors: [{ serial: 77, fields: { ph: { column: "at" } } }] }),
    "No sensor has the serial 77.",
  ],
  [
    "a unit of something else",
    "at,moisture\n",
    moisture({}, { unit: "hPa" }),
    "hPa is not a unit of moisture.",
  ],
  [
    "no zone",
    "at,moisture\n",
    moisture({ time: { columns: ["at"], format: "YYYY-MM-DD" } }),
    "have no time zone",
  ],
  [
    "no such zone",
    "at,moisture\n",
    moisture({ time: { columns: ["at"], format: "YYYY-MM-DD", zone: "Mars/Base" } }),
    "not a known time zone",
  ],
  [
    "no such format",
    "at,moisture\n",
    moisture({ time: { columns: ["at"], format: "HH:mm", zone: "UTC" } }),
    '"HH:mm" is not a time format.',
  ],
  ["an unknown key", "at,moisture\n", moisture({ separator: ";" }), "The mapping cannot be used"],
])(
  "[import] a mapping with %s is 422 with a sentence, and nothing is begun",
  async (_what, file, mapping, sentence) => {
    const answer = await sendImport(farm, overseer, file, mapping);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: "validation", errors: [{ field: "mapping" }] });
    expect(answer.json().message).toContain(sentence);
  },
);

/** "시각,수분" and a row in CP949. */
const CP949 = Buffer.from("bdc3b0a22cbcf6bad00a323032362d31312d30322030303a30302c33310a", "hex");

test("[import] refuses CP949 with advice, and accepts it when the mapping names it", async () => {
  const mapping = {
    time: { columns: ["시각"], format: "YYYY-MM-DD HH:mm", zone: "Asia/Seoul" },
    sensors: [{ serial: SOIL.serial, fields: { moisture: { column: "수분" } } }],
  };
  const answer = await sendImport(farm, overseer, CP949, mapping);
  expect([answer.statusCode, answer.json().message]).toEqual([
    422,
    'Line 1 is not UTF-8. It seems to come from a Korean Excel: say "encoding": "cp949" in the mapping.',
  ]);
  expect(await importAll(CP949, { ...mapping, encoding: "cp949" })).toMatchObject({ readingsStored: 1 });
});

test("[IMP-1] a file without one time of the format fails, and says what its times seem to be", async () => {
  const file = "at,moisture\n46327.5,31\n46327.6,32\n";
  expect(await importAll(file, moisture())).toMatchObject({
    state: "failed",
    rowsRejected: 2,
    readingsStored: 0,
    problem: expect.stringMatching(/the first is "46327\.5"\. It seems to be Excel's number of a day\./),
  });
  // One good time shows that the format is right.
  expect(await importAll(`${file}2026-11-01 00:00,33\n`, moisture())).toMatchObject({
    state: "done",
    rowsRejected: 2,
    readingsStored: 1,
  });
});

test.each([
  ["binary", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "is not UTF-8"],
  ["with zero bytes", "at,moisture\n\0\0", "contains a zero byte"],
  ["empty", "", "it is empty"],
  ["one line without end", "x".repeat(3_000_000), "longer than 65536 characters"],
  ["a million quotes", '"'.repeat(1_000_000), "longer than 65536 characters"],
])("[hostile] a file that is %s is refused with a sentence", async (_what, file, sentence) => {
  const answer = await sendImport(farm, overseer, file, moisture());
  expect([answer.statusCode, answer.json().errors[0].field]).toEqual([422, "file"]);
  expect(answer.json().message).toContain(sentence);
});

test("[hostile] an endless line, a million quotes and open quotes invalidate their rows only", async () => {
  const file = [
    "at,moisture",
    `2026-11-03 00:00,${"9".repeat(2_000_000)}`,
    '"'.repeat(1_000_001),
    '2026-11-03 00:10,"31',
    "2026-11-03 00:20,32",
    "2026-11-03 00:30,33,34",
    "2026-11-03 00:40",
    "2026-11-03 00:50,1e999",
    '2026-11-03 01:00,"34"',
  ].join("\n");
  const progress = await importAll(file, moisture());
  expect(progress).toMatchObject({ state: "done", rows: 8, rowsRejected: 6, readingsStored: 2 });
  expect(progress.rejects.map(({ line, reason }) => [line, reason])).toEqual([
    [2, "line-too-long"],
    [3, "line-too-long"],
    [4, "bad-quote"],
    [6, "wrong-column-count"],
    [7, "wrong-column-count"],
    [8, "wrong-type"],
  ]);
});

test("[import] fails with the line where a file stops being text; stored readings stay", async () => {
  const rows = Array.from({ length: 6_000 }, (_, index) => {
    const at = new Date(Date.UTC(2025, 0, 1) + index * 600_000).toISOString().slice(0, 16).replace("T", " ");
    return `${at},${index % 100}\n`;
  });
  const file = Buffer.concat([Buffer.from(`at,moisture\n${rows.join("")}`), Buffer.from([0xff, 0xfe])]);
  const progress = await importAll(file, moisture());
  expect(progress).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("Line 6002 is not UTF-8."),
  });
  expect(progress.readingsStored).toBeGreaterThan(500);
});

test("[import] allows one at a time; a cancelled one stops, keeps stored readings and frees the slot", async () => {
  const rows = Array.from({ length: 60_000 }, (_, index) => {
    const at = new Date(Date.UTC(2021, 0, 1) + index * 60_000).toISOString().slice(0, 16).replace("T", " ");
    return `${at},${index % 100}\n`;
  });
  const id = await begin(`at,moisture\n${rows.join("")}`, moisture());
  const second = await sendImport(farm, overseer, "at,moisture\n", moisture());
  expect([second.statusCode, second.json().code]).toEqual([409, "conflict"]);
  const cancelled = await ask("DELETE", id);
  expect(cancelled.json()).toMatchObject({ id, state: "cancelled" });
  expect(cancelled.json().readingsStored).toBeLessThan(60_000);
  expect(await importAll("at,moisture\n2026-11-04 00:00,1\n", moisture())).toMatchObject({
    readingsStored: 1,
  });
  expect((await ask("DELETE", id)).json()).toMatchObject({ state: "cancelled" });
});

test("[import] leaves no file behind, neither of an import nor of a refusal", async () => {
  // The file is removed at the end of its import.
  await eventually(async () => expect(await readdir(join(farm.folder, "import"))).toEqual([]));
});

test("[import] allows administrators only; an unknown id is 404; a form with a missing or extra part is 422", async () => {
  const { authorization } = await farm.signIn("farmer-one");
  expect((await sendImport(farm, authorization, "a", {})).statusCode).toBe(403);
  expect((await sendImport(farm, "", "a", {})).statusCode).toBe(401);
  for (const method of ["GET", "DELETE"] as const) {
    expect((await ask(method, UNKNOWN_ID)).statusCode).toBe(404);
    expect((await ask(method, UNKNOWN_ID, authorization)).statusCode).toBe(403);
  }
  expect((await sendImport(farm, overseer, null, moisture())).json().message).toBe("The file is missing.");
  expect((await sendImport(farm, overseer, "at\n", null)).json().message).toBe("The mapping is missing.");
  expect((await sendImport(farm, overseer, "at\n", "{")).statusCode).toBe(422);
  const plain = await farm.app.inject({
    method: "POST",
    url: importBegin.path,
    headers: { authorization: overseer },
    payload: {},
  });
  expect(plain.statusCode).toBe(422);
});

test("[audit] records the start and the cancelling of an import", async () => {
  const entries = await farm.app.database.query<{ action: string }>(
    "select distinct action from audit where subject_kind = 'import' order by action",
  );
  expect(entries.map(({ action }) => action)).toEqual(["import-cancel", "import-start"]);
});

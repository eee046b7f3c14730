import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJson } from "@mulkko/shared/schema/parse";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reading } from "../history/reading.ts";
import { Mapping } from "./mapping.ts";
import type { FindDevice } from "./plan.ts";
import { emptyReport } from "./report.ts";
import { runImport } from "./run.ts";
import { createReadingWriter } from "./store.ts";

const DOCUMENT = join(import.meta.dirname, "../../../docs/import-backup.md");
const TYPES = new Map([
  [24110101, "SMS"],
  [24110102, "ATS02"],
  [24110103, "SSH"],
]);
const findDevice: FindDevice = (serial) => {
  const type = TYPES.get(serial);
  return type === undefined ? undefined : { id: String(serial), kind: "sensor", type, accountId: "a" };
};

let folder = "";
let blocks: readonly { language: string; text: string }[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mulkko-docs-"));
  const document = await readFile(DOCUMENT, "utf8");
  blocks = [...document.matchAll(/```(csv|json)\n(.*?)```/gs)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Import the n-th example of the document. */
async function run(example: number) {
  const file = blocks.filter(({ language }) => language === "csv")[example]?.text ?? "";
  const mapping = parseJson(
    Mapping,
    blocks.filter(({ language }) => language === "json")[example]?.text ?? "",
  );
  if (!mapping.ok) throw new Error(`${mapping.path} ${mapping.message}`);
  const path = join(folder, "example.csv");
  await writeFile(path, file);
  const readings: Reading[] = [];
  const { signal } = new AbortController();
  const store = async (batch: readonly Reading[]): Promise<readonly Reading[]> => {
    readings.push(...batch);
    return batch;
  };
  const report = emptyReport();
  // The document is UTF-8, whatever the encoding of its examples.
  const source = {
    path,
    mapping: { ...mapping.value, encoding: "utf-8" as const },
    findDevice,
    clock: createFakeClock(),
  };
  await runImport(source, createReadingWriter({ store, signal }), report, {
    signal,
    progress: () => undefined,
  });
  return {
    readings: readings.map(({ sensorId, at, fields }) => [sensorId, new Date(at).toISOString(), fields]),
    report,
  };
}

test("[docs] imports the dashboard's export as documented", async () => {
  const { readings, report } = await run(0);
  expect(readings).toEqual([
    ["24110101", "2020-08-16T10:45:00.000Z", { soilTemperature: 29.7, moisture: 25.6 }],
    ["24110101", "2020-08-16T11:00:00.000Z", { soilTemperature: 30, moisture: 25.5 }],
    ["24110102", "2020-08-16T11:00:00.000Z", { pressure: 1010.6, temperature: 27.2 }],
  ]);
  expect(report).toMatchObject({ rows: 3, rowsEmpty: 1, rowsIgnored: 1, rowsRejected: 0, valuesRejected: 0 });
});

test("[docs] imports the logger's file as documented", async () => {
  const { readings, report } = await run(1);
  expect(readings).toEqual([
    ["24110103", "2026-11-01T04:05:00.000Z", { moisture: 33.5, ec: 1.25 }],
    ["24110103", "2026-11-01T04:10:00.000Z", { moisture: 33.4 }],
  ]);
  expect(report).toMatchObject({ rows: 2, rowsRejected: 0, valuesRejected: 0 });
});

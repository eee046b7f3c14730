import { createReadStream } from "node:fs";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { CsvRow } from "./csv.ts";
import { timeHint } from "./guess.ts";
import { ImportError, type Mapping } from "./mapping.ts";
import { type FindDevice, planImport } from "./plan.ts";
import { addRejection, type Report } from "./report.ts";
import { createCellReader, createRowReader } from "./rows.ts";
import type { ReadingWriter, Sourced } from "./store.ts";
import { readTable } from "./table.ts";

export interface ImportSource {
  readonly path: string;
  readonly mapping: Mapping;
  readonly findDevice: FindDevice;
  readonly clock: Clock;
}

type Bytes = AsyncIterable<Uint8Array>;

async function* counted(bytes: Bytes, count: (length: number) => void): Bytes {
  for await (const chunk of bytes) {
    count(chunk.length);
    yield chunk;
  }
}

/**
 * Read up to the header, so that an unsuitable mapping is refused before anything is stored.
 *
 * @throws ImportError
 */
export async function checkImport({ path, mapping, findDevice }: ImportSource): Promise<void> {
  const table = readTable(createReadStream(path), mapping);
  // Leaving the loop closes the file.
  for await (const rows of table.rows()) {
    if (mapping.header === false || table.header() !== null || rows.length > 0) break;
  }
  planImport(mapping, table.header(), findDevice);
}

/**
 * Read a file row by row, store its readings and update `report`.
 *
 * @throws ImportError, DatabaseError, or the reason of `signal`
 */
export async function runImport(
  source: ImportSource,
  writer: ReadingWriter,
  report: Report,
  options: { readonly signal: AbortSignal; readonly progress: (bytes: number) => void },
): Promise<void> {
  const { path, mapping, findDevice, clock } = source;
  const readCell = createCellReader(mapping);
  const bytes = counted(createReadStream(path, { signal: options.signal }), options.progress);
  const table = readTable(bytes, mapping);
  let readRow: ReturnType<typeof createRowReader> | null = null;

  const read = (row: CsvRow): Sourced[] => {
    readRow ??= createRowReader({
      plan: planImport(mapping, table.header(), findDevice),
      readCell,
      findDevice,
      now: clock.now,
    });
    const { readings, rejections } = readRow(row);
    report.rows += 1;
    for (const rejection of rejections) addRejection(report, row.line, rejection);
    if (readings.length > 0) report.valuesRejected += rejections.length;
    else if (rejections.length > 0) report.rowsRejected += 1;
    else report.rowsEmpty += 1;
    return readings.map((reading) => ({ line: row.line, reading }));
  };

  for await (const rows of table.rows()) {
    report.rowsIgnored = table.ignored();
    for (const row of rows) await writer.add(read(row), report);
  }
  report.rowsIgnored = table.ignored();
  if (report.rows === 0) throw new ImportError("file", noRows(report));
  await writer.finish(report);
  if (report.reasons["bad-time"] === report.rows) throw new ImportError("file", noTimes(report, mapping));
}

/** Say what was found in a file without a row to import: an empty result is no success. */
function noRows({ rowsIgnored }: Report): string {
  const ignored = rowsIgnored === 0 ? "" : ` ${rowsIgnored} rows were left out by the mapping.`;
  return `The file has no row of values.${ignored}`;
}

/** Name the first time of a file in which no row has a time of the mapping's format. */
function noTimes({ rejects }: Report, { time }: Mapping): string {
  const text = rejects.find(({ reason }) => reason === "bad-time")?.value ?? "";
  const formats = [time.format].flat().join('", "');
  return `No row has a time of the format "${formats}"; the first is "${text}". ${timeHint(text)}`;
}

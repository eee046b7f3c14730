import { expect, test } from "vitest";
import { DatabaseError } from "../database/database.ts";
import type { Reading } from "../history/reading.ts";
import { emptyReport } from "./report.ts";
import { BATCH, createReadingWriter, type Sourced } from "./store.ts";

const itemAt = (line: number): Sourced => ({
  line,
  reading: {
    sensorId: "s",
    at: line,
    receivedAt: line,
    fwversion: null,
    rssi: null,
    fields: { moisture: 1 },
  },
});
const away = new DatabaseError("gone", "08006");
const { signal } = new AbortController();

/** Create a store that fails with each of these errors in turn, and then succeeds. */
function failing(errors: readonly DatabaseError[] = []) {
  const left = [...errors];
  const batches: number[] = [];
  const store = async (readings: readonly Reading[]): Promise<readonly Reading[]> => {
    batches.push(readings.length);
    const error = left.shift();
    if (error) throw error;
    return readings;
  };
  return { store, batches };
}

test("[import] writes readings in batches, the last one at the end", async () => {
  const { store, batches } = failing();
  const writer = createReadingWriter({ store, signal });
  const report = emptyReport();
  await writer.add(
    Array.from({ length: 2 * BATCH + 1 }, (_, index) => itemAt(index)),
    report,
  );
  await writer.finish(report);
  expect(batches).toEqual([BATCH, BATCH, 1]);
  expect(report.readingsStored).toBe(2 * BATCH + 1);
});

test("[import] repeats a batch while the database is unavailable", async () => {
  const { store, batches } = failing([away, away]);
  let waits = 0;
  const wait = async (): Promise<void> => {
    waits += 1;
  };
  const writer = createReadingWriter({ store, signal, wait });
  const report = emptyReport();
  await writer.add([itemAt(2)], report);
  await writer.finish(report);
  expect([waits, batches, report.readingsStored]).toEqual([2, [1, 1, 1], 1]);
});

test("[import] a long database outage ends the import", async () => {
  const { store } = failing(Array.from({ length: 200 }, () => away));
  const writer = createReadingWriter({ store, signal, wait: async () => undefined });
  await writer.add([itemAt(2)], emptyReport());
  await expect(writer.finish(emptyReport())).rejects.toThrow("gone");
});

test("[import] rejects a reading refused by the database by its line, and stores the rest of the batch", async () => {
  const poison = new DatabaseError("out of range", "22003");
  const { store } = failing([poison, poison]);
  const writer = createReadingWriter({ store, signal });
  const report = emptyReport();
  await writer.add([itemAt(2), itemAt(3)], report);
  await writer.finish(report);
  expect(report.rejects).toEqual([{ line: 2, column: null, reason: "not-storable", value: "" }]);
  expect([report.readingsStored, report.rowsRejected + report.valuesRejected]).toEqual([1, 1]);
});

import { expect, test } from "vitest";
import {
  BUSY,
  createBatcher,
  ENOUGH,
  GATHER_MS,
  MAX_BATCH,
  MAX_REFUSED_IN_A_ROW,
  MAX_WAITING,
} from "./batcher.ts";

const never = () => "away" as const;

test("[ingest] writes waiting items together, one write at a time, in order", async () => {
  const batches: number[][] = [];
  let writing = 0;
  const batcher = createBatcher<number>(async (items) => {
    writing += 1;
    expect(writing).toBe(1);
    await Promise.resolve();
    batches.push([...items]);
    writing -= 1;
  }, never);
  await Promise.all([1, 2, 3].map((item) => batcher.add(item)));
  expect(batches).toEqual([[1, 2, 3]]);
  const many = Array.from({ length: MAX_BATCH + 5 }, (_, index) => index);
  await Promise.all(many.map((item) => batcher.add(item)));
  expect(batches.slice(1).map(({ length }) => length)).toEqual([MAX_BATCH, 5]);
});

test("[ingest] reports a failed write for every item in it, and tries the next one", async () => {
  let fail = true;
  const batcher = createBatcher<number>(async () => {
    if (fail) throw new Error("away");
  }, never);
  const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fail = false;
  await expect(batcher.add(3)).resolves.toBeUndefined();
});

test("[ingest] an item refused by the database does not fail the others", async () => {
  const written: number[] = [];
  const batcher = createBatcher<number>(
    async (items) => {
      if (items.includes(13)) throw new Error("poison");
      written.push(...items);
    },
    (error) => (error instanceof Error && error.message === "poison" ? "row" : "refused"),
  );
  const outcomes = await Promise.allSettled([1, 13, 2].map((item) => batcher.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(written).toEqual([1, 2]);
});

test("[KEEP-1] an item that is refused for an unknown reason is not stored, and fails no other one", async () => {
  const written: number[] = [];
  const batcher = createBatcher<number>(
    async (items) => {
      if (items.includes(13)) throw new Error("a trigger of the operator's");
      written.push(...items);
    },
    () => "refused",
  );
  const outcomes = await Promise.allSettled([1, 13, 2, 3].map((item) => batcher.add(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(written).toEqual([1, 2, 3]);
});

test.each([
  ["refused", 1 + MAX_REFUSED_IN_A_ROW],
  ["away", 1],
] as const)(
  "[KEEP-1] a database that is %s for all items is asked %i times for a batch",
  async (failure, count) => {
    let writes = 0;
    const batcher = createBatcher<number>(
      async () => {
        writes += 1;
        throw new Error("not now");
      },
      () => failure,
    );
    const many = Array.from({ length: 100 }, (_, index) => batcher.add(index));
    const outcomes = await Promise.allSettled(many);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(writes).toBe(count);
  },
);

test("[ingest] limits waiting items; draining writes them", async () => {
  const gate = Promise.withResolvers<void>();
  const batcher = createBatcher<number>(() => gate.promise, never);
  const waiting = Array.from({ length: MAX_WAITING }, (_, index) => batcher.add(index));
  await expect(batcher.add(-1)).rejects.toThrow(RangeError);
  gate.resolve();
  await batcher.drain();
  await Promise.all(waiting);
});

test("[ingest] after a large write the next one waits briefly for more items, until there are enough", async () => {
  const batches: number[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  let calledOff = 0;
  const batcher = createBatcher<number>(
    async (items) => {
      batches.push(items.length);
    },
    never,
    {
      after(ms, end) {
        pauses.push({ ms, end });
        return {
          cancel() {
            calledOff += 1;
          },
        };
      },
    },
  );
  const add = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, index) => batcher.add(index)));

  await add(1);
  await add(BUSY - 1);
  expect(pauses).toHaveLength(0);
  await add(BUSY);
  expect(pauses.map(({ ms }) => ms)).toEqual([GATHER_MS]);
  const inPause = [add(3), add(4)];
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual([1, BUSY - 1, BUSY]);
  pauses[0]?.end();
  await Promise.all(inPause);
  expect(batches.at(-1)).toBe(7);

  await add(BUSY);
  expect(pauses).toHaveLength(2);
  await add(ENOUGH);
  expect(batches.at(-1)).toBe(ENOUGH);
  expect(calledOff).toBe(2);

  // A pause is in progress; draining does not wait for it.
  expect(pauses).toHaveLength(3);
  const last = add(2);
  await batcher.drain();
  await last;
  expect(batches.at(-1)).toBe(2);
});

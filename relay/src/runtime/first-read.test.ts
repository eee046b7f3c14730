import { expect, test } from "vitest";
import { FirstRead } from "./first-read.ts";

/** A read that the test ends, and how often it began. */
function createSlowRead() {
  const ends: { done: () => void; fail: (error: Error) => void }[] = [];
  return {
    ends,
    read: () => new Promise<void>((done, fail) => void ends.push({ done, fail })),
  };
}

test("[NODE-5] an account is read once, however many wait for it", async () => {
  const { ends, read } = createSlowRead();
  const firstRead = new FirstRead();
  let times = 0;
  const all = [1, 2, 3].map(() => firstRead.read(read, () => (times += 1)));
  expect(firstRead.isDone).toBe(false);
  ends[0]?.done();
  await Promise.all(all);
  await firstRead.read(read, () => (times += 1));
  expect({ isDone: firstRead.isDone, times, begun: ends.length }).toEqual({
    isDone: true,
    times: 1,
    begun: 1,
  });
});

test("[NODE-5] a read that fails rejects for all who wait, and the next one reads again", async () => {
  const { ends, read } = createSlowRead();
  const firstRead = new FirstRead();
  let times = 0;
  const both = [1, 2].map(() => firstRead.read(read, () => (times += 1)));
  ends[0]?.fail(new Error("no line"));
  for (const one of both) await expect(one).rejects.toThrow("no line");
  expect({ isDone: firstRead.isDone, times }).toEqual({ isDone: false, times: 0 });
  const again = firstRead.read(read, () => (times += 1));
  ends[1]?.done();
  await again;
  expect({ isDone: firstRead.isDone, times }).toEqual({ isDone: true, times: 1 });
});

test("[NODE-5] an account whose stored state counts is not read first", async () => {
  const { ends, read } = createSlowRead();
  const firstRead = new FirstRead();
  firstRead.resumed();
  let times = 0;
  await firstRead.read(read, () => (times += 1));
  expect({ isDone: firstRead.isDone, begun: ends.length, times }).toEqual({
    isDone: true,
    begun: 0,
    times: 0,
  });
});

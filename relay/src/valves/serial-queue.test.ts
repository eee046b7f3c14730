import { expect, test } from "vitest";
import { createFakeLog } from "../../testing/valves/fake-writer.ts";
import { createSerialQueue, QUEUE_LIMIT, QUEUE_RESERVE } from "./serial-queue.ts";

function stuck() {
  let go = (): void => undefined;
  const limiter = new Promise<void>((done) => {
    go = done;
  });
  const queue = createSerialQueue(createFakeLog());
  const done: string[] = [];
  queue.post(() => limiter);
  const post = (name: string, urgency?: "ordinary" | "urgent") =>
    queue.post(async () => void done.push(name), urgency);
  return { queue, done, post, go };
}

test("[CMD-4] accepts a close when reports and openings have filled their places", async () => {
  const { done, post, go } = stuck();
  for (let n = 0; n < QUEUE_LIMIT; n += 1) expect(post("report")).toBe(true);
  expect(post("one more")).toBe(false);
  expect(post("close", "urgent")).toBe(true);
  go();
  await new Promise(setImmediate);
  expect(done).toHaveLength(QUEUE_LIMIT + 1);
  expect(done.at(-1)).toBe("close");
});

test("[CMD-0] limits the reserve too, and runs waiting jobs in their order", async () => {
  const { done, post, go } = stuck();
  for (let n = 0; n < QUEUE_LIMIT + QUEUE_RESERVE; n += 1) expect(post(`${n}`, "urgent")).toBe(true);
  expect(post("beyond", "urgent")).toBe(false);
  go();
  await new Promise(setImmediate);
  expect(done).toEqual(Array.from({ length: QUEUE_LIMIT + QUEUE_RESERVE }, (_, n) => `${n}`));
});

test("[CMD-0] logs a failed step, and runs the next one", async () => {
  const { queue, done, post, go } = stuck();
  queue.post(async () => {
    throw new Error("broken");
  });
  post("after");
  go();
  await new Promise(setImmediate);
  expect(done).toEqual(["after"]);
});

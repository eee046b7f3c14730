import { expect, test } from "vitest";
import type { QueryQueue } from "./database.ts";
import { createQueryQueues } from "./pglite.ts";

test("[database] runs urgent jobs before waiting ones and history last, one at a time", async () => {
  const queues = createQueryQueues();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const job = (queue: QueryQueue, name: string): Promise<void> =>
    queues.run(queue, async () => {
      running += 1;
      expect(running).toBe(1);
      if (name === "first") await gate.promise;
      await Promise.resolve();
      order.push(name);
      running -= 1;
    });
  const all = [
    job("normal", "first"),
    job("history", "history"),
    job("normal", "second"),
    job("urgent", "close"),
    job("normal", "third"),
  ];
  gate.resolve();
  await Promise.all(all);
  expect(order).toEqual(["first", "close", "second", "third", "history"]);
});

test("[database] continues after a failed job", async () => {
  const queues = createQueryQueues();
  const failing = queues.run("normal", () => Promise.reject(new Error("no")));
  const next = queues.run("normal", () => Promise.resolve(7));
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe(7);
});

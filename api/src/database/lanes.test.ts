import { expect, test } from "vitest";
import type { Lane } from "./database.ts";
import { createLanes } from "./lanes.ts";

test("[database] what is urgent goes before what waits, history after everything, one at a time", async () => {
  const lanes = createLanes();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const job = (lane: Lane, name: string): Promise<void> =>
    lanes.run(lane, async () => {
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

test("[database] a job that fails does not stop the next one", async () => {
  const lanes = createLanes();
  const failing = lanes.run("normal", () => Promise.reject(new Error("no")));
  const next = lanes.run("normal", () => Promise.resolve(7));
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe(7);
});

import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { StaleOwnerError, StoreUnavailableError } from "./errors.ts";
import { WriteBehind } from "./write-behind.ts";

interface Value {
  readonly of: { readonly name: string };
  readonly key: string;
  readonly text: string;
}

const value = (key: string, text: string, name = "intents"): Value => ({ of: { name }, key, text });

/** Create a writer over a store in memory that can fail, be slow, or belong to another owner. */
function createHarness() {
  const timers = createFakeTimers(createFakeClock());
  const writes: string[][] = [];
  const stored = new Map<string, string>();
  const failures: unknown[] = [];
  const harness = {
    timers,
    writes,
    stored,
    failures,
    caughtUp: 0,
    fails: null as Error | null,
    until: Promise.resolve(),
    behind: new WriteBehind<Value>({
      async write(values) {
        const fails = harness.fails;
        writes.push(values.map(({ key, text }) => `${key}=${text}`));
        await harness.until;
        if (fails) throw fails;
        for (const { of, key, text } of values) stored.set(`${of.name}/${key}`, text);
      },
      timers,
      onFailure: (error) => failures.push(error),
      onCaughtUp() {
        harness.caughtUp += 1;
      },
    }),
  };
  return harness;
}

const away = new StoreUnavailableError("disk full");

test("writes values of one moment together, and of a key the newest alone", async () => {
  const { behind, writes } = createHarness();
  const results = [
    behind.put([value("a", "1")]),
    behind.put([value("b", "1")]),
    behind.put([value("a", "2")]),
  ];
  expect(await Promise.all(results)).toEqual(["written", "written", "written"]);
  expect(writes).toEqual([["a=2", "b=1"]]);
});

test("writes one after the other, in the order of the calls", async () => {
  const harness = createHarness();
  const { behind, writes, stored } = harness;
  const slow = Promise.withResolvers<void>();
  harness.until = slow.promise;
  const first = behind.put([value("a", "1")]);
  await Promise.resolve();
  const must = behind.must([value("a", "2")]);
  const last = behind.put([value("a", "3")]);
  await Promise.resolve();
  expect(writes).toEqual([["a=1"]]);
  slow.resolve();
  await Promise.all([first, must, last]);
  expect(writes).toEqual([["a=1"], ["a=2"], ["a=3"]]);
  expect(stored.get("intents/a")).toBe("3");
});

test("[NODE-4] repeats what could not be stored every 5 s, and with each later write", async () => {
  const harness = createHarness();
  const { behind, writes, timers, failures } = harness;
  harness.fails = away;
  expect(await behind.put([value("a", "1")])).toBe("waiting");
  await timers.pass(5_000);
  expect(writes).toEqual([["a=1"], ["a=1"]]);
  expect(failures).toEqual([away, away]);
  expect(await behind.put([value("a", "2"), value("b", "1")])).toBe("waiting");
  harness.fails = null;
  await timers.pass(5_000);
  expect(writes.at(-1)).toEqual(["a=2", "b=1"]);
  expect(harness.caughtUp).toBe(1);
  const count = writes.length;
  await timers.pass(60_000);
  expect(writes).toHaveLength(count);
});

test("[RUN-3] a required write rejects, is not repeated, and leaves what waited before it", async () => {
  const harness = createHarness();
  const { behind, writes, stored, timers } = harness;
  harness.fails = away;
  await behind.put([value("a", "1")]);
  await expect(behind.must([value("a", "2"), value("b", "2")])).rejects.toBe(away);
  expect(writes.at(-1)).toEqual(["a=2", "b=2"]);
  harness.fails = null;
  await timers.pass(5_000);
  expect([...stored]).toEqual([["intents/a", "1"]]);
});

test("[RUN-3] a required write stores what waited in the same write", async () => {
  const harness = createHarness();
  const { behind, writes } = harness;
  harness.fails = away;
  await behind.put([value("a", "1")]);
  harness.fails = null;
  await behind.must([value("b", "1")]);
  expect(writes.at(-1)).toEqual(["a=1", "b=1"]);
  expect(harness.caughtUp).toBe(1);
});

test("[NODE-5] a stale owner drops what waits, and repeats nothing", async () => {
  const harness = createHarness();
  const { behind, writes, timers, failures } = harness;
  harness.fails = away;
  await behind.put([value("a", "1")]);
  harness.fails = new StaleOwnerError("another owner");
  expect(await behind.put([value("b", "1")])).toBe("stale");
  await expect(behind.must([value("b", "2")])).rejects.toBe(harness.fails);
  const count = writes.length;
  await timers.pass(60_000);
  expect(writes).toHaveLength(count);
  expect(failures).toEqual([away]);
});

test("keeps 1,000 waiting values of each collection, the newest", async () => {
  const harness = createHarness();
  const { behind, stored, timers } = harness;
  harness.fails = away;
  await behind.put([value("run", "1")]);
  await behind.put(Array.from({ length: 1_001 }, (_, n) => value(`c${n}`, "1", "commands")));
  harness.fails = null;
  await timers.pass(5_000);
  expect(stored.size).toBe(1_001);
  expect(stored.has("intents/run")).toBe(true);
  expect(stored.has("commands/c0")).toBe(false);
  expect(stored.has("commands/c1000")).toBe(true);
  // The limit is one of waiting: a single step of more is written whole.
  await behind.must(Array.from({ length: 2_500 }, (_, n) => value(`i${n}`, "1")));
  expect(stored.size).toBe(3_501);
});

test("repeats nothing once it is closed", async () => {
  const harness = createHarness();
  const { behind, writes, timers } = harness;
  harness.fails = away;
  await behind.put([value("a", "1")]);
  behind.close();
  await timers.pass(60_000);
  expect(writes).toHaveLength(1);
});

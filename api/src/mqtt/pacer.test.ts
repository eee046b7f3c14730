import { expect, test } from "vitest";
import { createPacer } from "./pacer.ts";

/** Start a pacer of 100 per second, burst 5, with a manual clock. */
function start() {
  let at = 0;
  let due: { at: number; run: () => void } | undefined;
  const pacer = createPacer(
    { perSecond: 100, burst: 5 },
    () => at,
    (ms, run) => {
      due = { at: at + ms, run };
    },
  );
  const passed: number[] = [];
  let asked = 0;
  return {
    passed,
    ask(): void {
      asked += 1;
      const number = asked;
      const turn = pacer.pass();
      if (turn) void turn.then(() => passed.push(number));
      else passed.push(number);
    },
    async advance(ms: number): Promise<void> {
      const end = at + ms;
      while (due && due.at <= end) {
        const { run } = due;
        at = due.at;
        due = undefined;
        run();
      }
      at = end;
      await Promise.resolve();
    },
  };
}

test("[broker] passes a burst at once and the rest in order at its pace", async () => {
  const { ask, passed, advance } = start();
  for (let n = 0; n < 15; n += 1) ask();
  expect(passed).toEqual([1, 2, 3, 4, 5]);
  await advance(50);
  expect(passed).toHaveLength(10);
  await advance(60);
  expect(passed).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
});

test("[broker] keeps the order of waiting messages, and restores the burst after a quiet period", async () => {
  const { ask, passed, advance } = start();
  for (let n = 0; n < 7; n += 1) ask();
  await advance(9);
  ask();
  await advance(1_000);
  expect(passed).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  for (let n = 0; n < 6; n += 1) ask();
  expect(passed).toHaveLength(13);
});

import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, test } from "vitest";
import { fuzzing } from "../../testing/fuzz.ts";
import { createValveWorld, type ValveWorld } from "../../testing/valves/valve-world.ts";

const BUNDLED = { reportsDetails: true, timesRuns: true };

/** Press of an opening or a close that reaches the relay `lateMs` after it. */
interface Press {
  readonly target: 1 | 2;
  readonly atMs: number;
  readonly lateMs: number;
}

/** Deliver presses in the order of their arrival. Return the state that each was answered with. */
async function deliver(world: ValveWorld, presses: readonly Press[]): Promise<string[]> {
  const began = world.clock.now();
  const arrivals = presses
    .map((press, index) => ({ ...press, index, arrivesMs: press.atMs + press.lateMs }))
    .sort((a, b) => a.arrivesMs - b.arrivesMs);
  const states: string[] = presses.map(() => "");
  for (const { target, atMs, index, arrivesMs } of arrivals) {
    await world.pass(Math.max(0, began + arrivesMs - world.clock.now()));
    const outcome = world.command(target, {
      commandId: `press-${index}`,
      pressedAt: began + atMs,
      ...(target === 1 && { maxRunSeconds: 3_600 }),
    });
    await world.pass(100);
    const answer = await outcome;
    states[index] = answer.ok ? answer.record.state : answer.code;
  }
  return states;
}

describe("a close that waited on its way", () => {
  test("[CMD-17] leaves a valve open that a user opened after it was pressed, and says why", async () => {
    const world = await createValveWorld(BUNDLED);
    const [, close] = await deliver(world, [
      { target: 1, atMs: 60_000, lateMs: 100 },
      { target: 2, atMs: 0, lateMs: 120_000 },
    ]);
    expect(close).toBe("superseded");
    expect(world.farm.open).toBe(true);
    expect(world.writer.events.at(-1)).toMatchObject({ state: "superseded", reason: "newer-opening" });
  });

  test("[CMD-17] closes a valve that was opened before it was pressed, however late it is", async () => {
    const world = await createValveWorld(BUNDLED);
    await deliver(world, [
      { target: 1, atMs: 0, lateMs: 100 },
      { target: 2, atMs: 10_000, lateMs: 600_000 },
    ]);
    await world.pass(5_000);
    expect(world.farm.open).toBe(false);
  });

  test("[CMD-17] closes at once where it arrives promptly: two screens' clocks may differ by a little", async () => {
    const world = await createValveWorld(BUNDLED);
    await deliver(world, [
      { target: 1, atMs: 1_000, lateMs: 0 },
      { target: 2, atMs: 500, lateMs: 1_500 },
    ]);
    await world.pass(5_000);
    expect(world.farm.open).toBe(false);
  });

  test("[CMD-17] the newest press wins in generated orders of presses and arrivals", async () => {
    const { seed, numRuns } = fuzzing(60);
    const random = seededRandom(seed);
    for (let run = 0; run < numRuns; run += 1) {
      const presses = Array.from({ length: 2 + Math.floor(random() * 4) }, (_, index): Press => {
        const target = random() < 0.5 ? 1 : 2;
        const lateMs = target === 1 ? random() * 14_000 : random() * 300_000;
        return { target, atMs: index * 20_000 + random() * 10_000, lateMs };
      });
      const world = await createValveWorld(BUNDLED);
      await deliver(world, presses);
      await world.pass(5_000);
      const newest = presses.toSorted((a, b) => a.atMs - b.atMs).at(-1);
      expect(world.farm.open, `seed ${seed}, run ${run}: ${JSON.stringify(presses)}`).toBe(
        newest?.target === 1,
      );
    }
  });
});

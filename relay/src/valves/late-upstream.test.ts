import { expect, test } from "vitest";
import { createValveWorld, type ValveWorld } from "../../testing/valves/valve-world.ts";

const LAG_MS = 8_000;
const LOOK_MS = 250;
const APIS = [
  ["that reports details and times runs", { reportsDetails: true, timesRuns: true }],
  ["that reports details", { reportsDetails: true, timesRuns: false }],
  ["that is only asked", { reportsDetails: false, timesRuns: false }],
] as const;

/** Record the states that a screen shows of the valve over a time, each once per change. */
async function shown(world: ValveWorld, forMs: number): Promise<unknown[]> {
  const positions: unknown[] = [];
  for (let passed = 0; passed < forMs; passed += LOOK_MS) {
    await world.pass(LOOK_MS);
    const { onoff } = world.channel() ?? {};
    if (onoff !== positions.at(-1)) positions.push(onoff);
  }
  return positions;
}

test.each(APIS)(
  "[CMD-2] shows the position of a valve 8 s behind an API %s, never a requested state, and does not snap back",
  async (_name, api) => {
    const world = await createValveWorld(api);
    world.farm.obeyMs = LAG_MS;
    await world.pass(100);
    const opening = world.command(1, { maxRunSeconds: 600 });
    expect(await shown(world, 60_000)).toEqual([2, 1]);
    expect(await opening).toMatchObject({ ok: true });
    expect(world.channel()).toMatchObject({ onoff: 1, command: null });
    const closing = world.command(2);
    expect(await shown(world, 60_000)).toEqual([1, 2]);
    expect(await closing).toMatchObject({ ok: true });
    expect(world.channel()).toMatchObject({ onoff: 2, runUntil: null });
  },
);

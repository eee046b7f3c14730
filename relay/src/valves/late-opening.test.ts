import { describe, expect, test } from "vitest";
import { CHANNEL, createValveWorld, type ValveWorld } from "../../testing/valves/valve-world.ts";
import { INTENTS } from "./intent.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PLAIN = { reportsDetails: false, timesRuns: false };
/** Neither API ignores an opening because of its age. */
const FARMS = [
  ["that reports details", { reportsDetails: true, timesRuns: false }],
  ["that is only asked", PLAIN],
] as const;

/** Open for a minute; the farm API accepts at once and carries out after this many seconds. */
async function openLate(world: ValveWorld, seconds: number): Promise<void> {
  await world.pass(20_000);
  world.farm.queueMs = seconds * 1_000;
  void world.command(1, { maxRunSeconds: 60 });
  await world.pass(1_000);
  world.farm.queueMs = 0;
}

const lateOpenings = (world: ValveWorld) =>
  world.writer.events.flatMap((event) =>
    event.kind === "command" && event.state === "requested" && event.lateOpening ? [event] : [],
  );
const opensSent = (world: ValveWorld) => world.farm.sent.filter(({ payload }) => payload === 1).length;

describe.each(FARMS)("an opening that a farm API %s carries out late", (_name, kind) => {
  test("[CMD-14] is closed by the close at the end of its run, while that is pending", async () => {
    const world = await createValveWorld(kind);
    await openLate(world, 63);
    await world.pass(120_000);
    expect(world.farm.openedAt).toBeGreaterThan(0);
    expect(world.farm.open).toBe(false);
  });

  test.each([90, 180, 1_800])(
    "[CMD-14] closes at once %i s after the command of a minute's run, and names that command",
    async (seconds) => {
      const world = await createValveWorld(kind);
      const pressedAt = world.clock.now() + 20_000;
      await openLate(world, seconds);
      await world.pass((seconds - 2) * 1_000);
      expect(world.farm.openedAt).toBeLessThan(0);
      expect(lateOpenings(world)).toEqual([]);
      await world.pass(64_000);
      expect(world.farm.openedAt).toBeGreaterThan(0);
      expect(world.farm.open).toBe(false);
      expect(opensSent(world)).toBe(1);
      expect(lateOpenings(world)).toMatchObject([
        {
          target: 2,
          reason: "late-open",
          lateOpening: { pressedAt: new Date(pressedAt).toISOString(), by: { nickname: "Kim" } },
        },
      ]);
    },
  );

  test("[CMD-14] closes once more after a close that was commanded and confirmed", async () => {
    const world = await createValveWorld(kind);
    await openLate(world, 40);
    await world.pass(2_000);
    void world.command(2);
    await world.pass(20_000);
    expect(world.farm.openedAt).toBeLessThan(0);
    await world.pass(43_000);
    expect(world.farm.openedAt).toBeGreaterThan(0);
    expect(world.farm.open).toBe(false);
    expect(lateOpenings(world)).toHaveLength(1);
  });

  test("[CMD-14] closes it also after a restart of the relay", async () => {
    const world = await createValveWorld(kind);
    await openLate(world, 300);
    await world.pass(2 * MINUTE);
    world.kill();
    await world.start();
    await world.pass(3 * MINUTE + 20_000);
    expect(world.farm.open).toBe(false);
    expect(lateOpenings(world)).toHaveLength(1);
  });

  test("[WAT-1] attributes the watering to the person who gave the command", async () => {
    const world = await createValveWorld(kind);
    await openLate(world, 120);
    await world.pass(4 * MINUTE);
    const waterings = (await world.service.waterings({ since: 0 })).waterings.map(({ watering }) => watering);
    expect(waterings).toMatchObject([{ cause: "person", by: { nickname: "Kim" }, endReason: "closed" }]);
  });

  test("[CMD-14] expects it for a day after the command, and no longer", async () => {
    const world = await createValveWorld(kind);
    await openLate(world, 48 * 3_600);
    await world.pass(23 * HOUR);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeDefined();
    await world.pass(HOUR + MINUTE);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
  });

  test("[CMD-14] expects it for only ten minutes once a later command was carried out", async () => {
    const world = await createValveWorld(kind);
    await openLate(world, 48 * 3_600);
    await world.pass(2 * MINUTE);
    void world.command(1, { maxRunSeconds: 60 });
    await world.pass(2 * MINUTE);
    expect(world.farm.open).toBe(false);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeDefined();
    await world.pass(12 * MINUTE);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
  });
});

test("[CMD-14] does not expect an opening that already turned the valve: the valve may be opened by hand after the run", async () => {
  const world = await createValveWorld(PLAIN);
  await openLate(world, 0);
  await world.pass(2 * MINUTE);
  expect(world.farm.open).toBe(false);
  world.farm.turn(true, "hand");
  await world.pass(2 * MINUTE);
  expect(world.farm.open).toBe(true);
  expect(lateOpenings(world)).toEqual([]);
});

test("[CMD-14] stops watching a channel that is deleted", async () => {
  const world = await createValveWorld(PLAIN);
  await openLate(world, 48 * 3_600);
  await world.pass(3 * MINUTE);
  world.writer.del(CHANNEL);
  world.service.gone(CHANNEL);
  world.farm.mood = "gone";
  await world.pass(3 * MINUTE);
  expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
});

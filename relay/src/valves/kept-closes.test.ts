import { describe, expect, test } from "vitest";
import type { Mood } from "../../testing/valves/fake-farm.ts";
import { createValveWorld, passedStates, type ValveWorld } from "../../testing/valves/valve-world.ts";
import { COMMANDS } from "./command-log.ts";
import type { CommandOutcome } from "./commands.ts";

/** The relay's words about a close. */
interface Said {
  readonly ok: boolean;
  readonly kept?: false;
}

const ofRecord = (outcome: CommandOutcome): Said => (outcome.ok ? { ok: true, ...outcome.record } : outcome);

/** Give a command and, once it has an answer, give it again, as the browser does. */
async function twice(world: ValveWorld, give: () => Promise<Said>): Promise<Said> {
  const first = await give();
  return world.running ? give() : first;
}

/** Every way in which people close a valve, with the id under which it is repeated. */
const WAYS: Record<string, (world: ValveWorld) => Promise<Said>> = {
  "a close": (world) => world.command(2, { commandId: "close" }).then(ofRecord),
  "a close of another person for a pending one": (world) => {
    void world.command(2, { commandId: "first" });
    return world.command(2, { commandId: "close" }).then(ofRecord);
  },
  "an administrator's close": (world) =>
    world.command(2, { commandId: "close", administrator: { reason: "leak" } }).then(ofRecord),
  "a close-all": (world) => world.closeAll("job"),
  "a close that is repeated": (world) =>
    twice(world, () => world.command(2, { commandId: "close" }).then(ofRecord)),
  "a withdrawal": (world) => world.withdraw("opening", { maxRunSeconds: 600 }).then(ofRecord),
  "a withdrawal that is repeated": (world) =>
    twice(world, () => world.withdraw("opening", { maxRunSeconds: 600 }).then(ofRecord)),
};

type StoreFault = "refuses" | "hangs" | "refuses for 3 s" | "none";
const FAULTS: readonly StoreFault[] = ["refuses", "hangs", "refuses for 3 s", "none"];
const MOODS: readonly Mood[] = ["ok", "slow", "lost-undone", "down"];
const KILLED_AFTER_MS = [200, 4_000, 7_000, 20_000];

/** Open a valve for 10 min, close it while the store has a fault, and return what was said. */
async function close(world: ValveWorld, way: keyof typeof WAYS, fault: StoreFault, mood: Mood) {
  const said: Said[] = [];
  await world.pass(100);
  void world.command(1, { commandId: "opening", maxRunSeconds: 600 });
  await world.pass(10_000);
  world.farm.mood = mood;
  world.store.failing = fault.startsWith("refuses");
  const hung = Promise.withResolvers<void>();
  hung.promise.catch(() => undefined);
  if (fault === "hangs") world.store.until = hung.promise;
  const { events } = world.writer;
  const seen = events.length;
  void WAYS[way]?.(world).then((answer) => said.push(answer));
  return {
    /** End the fault. A write that hung is lost with its process. */
    mend() {
      world.store.failing = false;
      world.store.until = Promise.resolve();
      if (world.running) hung.resolve();
      else hung.reject(new Error("the process is gone"));
    },
    /** True if after an answer or an event the client forgets the close. */
    isTakenOver: () =>
      said.some(({ ok, kept }) => ok && kept !== false) ||
      events
        .slice(seen)
        .some((event) => event.kind === "command" && event.target === 2 && event.kept !== false),
  };
}

describe.each(Object.keys(WAYS))("%s", (way) => {
  test.each(
    FAULTS.flatMap((fault) =>
      MOODS.flatMap((mood) => KILLED_AFTER_MS.map((killedAfterMs) => ({ fault, mood, killedAfterMs }))),
    ),
  )(
    "[CMD-8] is carried out by the next relay, or was not called kept: %o",
    async ({ fault, mood, killedAfterMs }) => {
      const world = await createValveWorld({ reportsDetails: true, timesRuns: false });
      const { mend, isTakenOver } = await close(world, way, fault, mood);
      await world.pass(fault === "refuses for 3 s" ? Math.min(3_000, killedAfterMs) : killedAfterMs);
      if (fault === "refuses for 3 s" && killedAfterMs > 3_000) {
        world.store.failing = false;
        await world.pass(killedAfterMs - 3_000);
      }
      world.kill();
      mend();
      world.farm.mood = "ok";
      await world.start();
      await world.pass(200_000);
      if (isTakenOver()) expect(world.farm.open).toBe(false);
    },
  );

  test.each(FAULTS.flatMap((fault) => MOODS.map((mood) => ({ fault, mood }))))(
    "[CMD-8] is called kept at a repeated call once the store is back: %o",
    async ({ fault, mood }) => {
      const world = await createValveWorld({ reportsDetails: true, timesRuns: false });
      const { mend } = await close(world, way, fault, mood);
      await world.pass(20_000);
      mend();
      await world.pass(20_000);
      const again = WAYS[way]?.(world);
      await world.pass(20_000);
      const said = await again;
      expect(said).toMatchObject({ ok: true });
      expect(said).not.toHaveProperty("kept");
    },
  );
});

test("[CMD-7] a repeated close that is not stored is the same command: it is shown and logged once", async () => {
  const world = await createValveWorld({ reportsDetails: true, timesRuns: false });
  world.farm.turn(true, "hand");
  await world.pass(2_000);
  world.store.failing = true;
  world.farm.mood = "down";
  for (let repeat = 0; repeat < 3; repeat++) {
    void world.command(2, { commandId: "close" });
    await world.pass(6_000);
  }
  const other = world.command(2, { commandId: "close", form: "sensor" });
  await world.pass(6_000);
  expect(await other).toMatchObject({ ok: false, status: 409 });
  world.store.failing = false;
  await world.pass(20_000);
  expect(passedStates(world)).toEqual(["close requested"]);
  expect(world.store.valueOf(COMMANDS, "close")).toMatchObject({
    sameAs: null,
    state: "requested",
    steps: [{}],
  });
});

import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { createBench, createLiveBench, devicesSnapshot, eventsSnapshot } from "./testing/fake-relay.ts";

/** Seed of the generated lines and their number; a failure names the seed of its line. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_128);
const RUNS = Number(process.env.FUZZ_RUNS ?? 60);

/** Time within which a held line is noticed: with a page open, and while a command waits, ms. */
const NOTICED_MS = 8_000;
const HURRIED_MS = 3_000;

type Held = "none" | "requests" | "answers" | "both";

/** A page over a line with a travel time, whose directions can be held; the relay pushes values and beats. */
async function createLine(latencyMs: number) {
  const { bench, socket } = await createLiveBench();
  const line = { held: "none" as Held };
  let handled = socket.received.length;
  const serverTime = () => new Date(bench.clock.now()).toISOString();
  /** Move on by 100 ms. */
  const step = async (): Promise<void> => {
    for (const message of socket.received.slice(handled)) {
      if (message.t !== "ask" || line.held === "requests" || line.held === "both") continue;
      bench.timers.after(latencyMs, () => {
        if (line.held === "none") socket.say({ t: "beat", serverTime: serverTime(), n: message.n });
      });
    }
    handled = socket.received.length;
    await bench.timers.pass(100);
  };
  let steps = 0;
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 100) {
      await step();
      steps += 1;
      // Values and beats without a number pass a line whose requests are held.
      const passes = line.held === "none" || line.held === "requests";
      if (passes && steps % 17 === 0 && !socket.closedByClient)
        socket.say({ t: "beat", serverTime: serverTime() });
      if (steps % 10 === 0) bench.tick();
    }
  };
  return { bench, socket, line, pass, screen: () => bench.client.link.getState().screen.state };
}

describe("a line that holds bytes back", () => {
  it.each(["requests", "answers", "both"] as const)(
    "[LIVE-1] is noticed within 8 s with %s held, and its age counts",
    async (held) => {
      const { bench, line, pass, screen } = await createLine(300);
      await pass(13_000);
      expect(screen()).toBe("live");
      line.held = held;
      await pass(NOTICED_MS);
      expect(screen()).not.toBe("live");
      const before = bench.client.connection.silence() ?? 0;
      await pass(3_000);
      expect(bench.client.connection.silence()).toBeGreaterThanOrEqual(before + 2_900);
    },
  );

  it("[LIVE-1] is live again with the next answer, on the same connection", async () => {
    const { bench, line, pass, screen } = await createLine(300);
    line.held = "requests";
    await pass(NOTICED_MS);
    expect(screen()).toBe("notLive");
    line.held = "none";
    await pass(LIVE_LIMITS.askEveryMs + 400);
    expect(screen()).toBe("live");
    expect(bench.relay.sockets).toHaveLength(1);
  });

  it("[LIVE-1] asks nothing while the page is hidden, and at once when it is shown", async () => {
    const { bench, socket, pass } = await createLine(100);
    await pass(1_000);
    bench.visible = false;
    const asked = () => socket.received.filter(({ t }) => t === "ask").length;
    const before = asked();
    await pass(60_000);
    expect(asked()).toBe(before);
    bench.visible = true;
    bench.client.connection.wake();
    expect(asked()).toBe(before + 1);
  });

  it("[LIVE-1] asks nothing of an older relay", async () => {
    const bench = createBench();
    bench.start();
    const socket = await bench.welcome();
    socket.say(devicesSnapshot("e1", 7, {}));
    socket.say(eventsSnapshot("v1", 3));
    bench.client.connection.hurry();
    await bench.timers.pass(15_000);
    expect(socket.received.map(({ t }) => t)).not.toContain("ask");
  });

  it(`[LIVE-1] is noticed in time on ${RUNS} generated lines, and a slow line is not taken for one`, async () => {
    for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
      const random = seededRandom(seed);
      const { bench, line, pass, screen } = await createLine(Math.round(random() * 1_500));
      const quietMs = 2_000 + Math.round(random() * 20_000);
      await pass(quietMs);
      expect(screen(), `seed ${seed}`).toBe("live");
      const held = (["requests", "answers", "both"] as const)[Math.floor(random() * 3)] ?? "both";
      const hurried = random() < 0.5;
      line.held = held;
      const over = hurried ? bench.client.connection.hurry() : () => undefined;
      await pass(hurried ? HURRIED_MS : NOTICED_MS);
      expect(screen(), `seed ${seed}, ${held}, hurried ${hurried}`).not.toBe("live");
      over();
    }
  }, 60_000);
});

import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { createLiveBench } from "./testing/fake-relay.ts";

/** Seed of the generated sleeps and their number; a failure names the seed of its sleep. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_129);
const RUNS = Number(process.env.FUZZ_RUNS ?? 300);

/** A page that is live, on a line that the test answers. */
async function createLivePage() {
  const { bench } = await createLiveBench();
  const beat = (n?: number) =>
    bench.relay.latest().say({
      t: "beat",
      serverTime: new Date(bench.clock.now()).toISOString(),
      ...(n === undefined ? {} : { n }),
    });
  const asked = () =>
    bench.relay.latest().received.reduce((last, one) => (one.t === "ask" ? one.n : last), 0);
  bench.client.connection.update();
  beat(asked());
  return { bench, beat, asked, screen: () => bench.client.link.getState().screen.state };
}

describe("a page that slept", () => {
  it("[LIVE-1] draws nothing as live until the answer to a question after it woke", async () => {
    const { bench, beat, asked, screen } = await createLivePage();
    const before = asked();
    bench.clock.advance(9_000);
    bench.client.connection.update();
    expect(screen()).toBe("notLive");
    beat();
    beat(before);
    expect(screen()).toBe("notLive");
    beat(asked());
    expect(screen()).toBe("live");
    expect(bench.relay.sockets).toHaveLength(1);
  });

  it("[LIVE-1] notices it by the wall clock where the monotonic one stops, and says since when", async () => {
    const { bench, screen } = await createLivePage();
    bench.clock.jump(600_000);
    bench.client.connection.wake();
    expect(screen()).toBe("notLive");
    expect(bench.client.connection.silence()).toBeGreaterThanOrEqual(600_000);
  });

  it(`[LIVE-1] is live after none of ${RUNS} generated sleeps before it is proven`, async () => {
    for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
      const random = seededRandom(seed);
      const { bench, beat, asked, screen } = await createLivePage();
      const before = asked();
      const ms = 5_000 + Math.round(random() ** 4 * 86_400_000);
      const isStopped = random() < 0.5;
      const isBroken = random() < 0.3;
      bench.visible = random() < 0.5;
      if (isStopped) bench.clock.jump(ms);
      else bench.clock.advance(ms);
      if (isBroken) bench.relay.latest().cut();
      // What arrived meanwhile comes in any order with the first tick and the event of the browser.
      const first = [
        () => beat(),
        () => beat(before),
        () => bench.client.connection.update(),
        () => {
          bench.visible = true;
          bench.client.connection.wake();
        },
      ];
      while (first.length > 0) first.splice(Math.floor(random() * first.length), 1)[0]?.();
      expect(screen(), `seed ${seed}`).not.toBe("live");
      expect(screen(), `seed ${seed}`).not.toBe("reconnecting");
      await bench.timers.pass(0);
      if (bench.relay.sockets.length > 1 || isBroken) continue;
      beat(asked());
      expect(screen(), `seed ${seed}`).toBe("live");
    }
  });

  it("[LIVE-1] takes no late tick for a sleep", async () => {
    const { bench, screen } = await createLivePage();
    bench.clock.advance(3_400);
    bench.client.connection.update();
    expect(screen()).toBe("live");
  });
});

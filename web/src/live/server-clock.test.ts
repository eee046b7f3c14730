import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { describe, expect, it } from "vitest";
import { createServerClock } from "./server-clock.ts";

const at = (ms: number) => new Date(ms).toISOString();

describe("server clock", () => {
  it("[ONL-3] runs on the server's time, independent of this machine's clock", () => {
    const clock = createFakeClock();
    const server = createServerClock(clock);
    const there = clock.now() - 90_000;
    server.sample(at(there), true);
    clock.advance(5_000);
    expect(server.now()).toBe(there + 5_000);
    expect(server.localOffset()).toBe(90_000);
  });
  it("[RUN-4] keeps countdowns steady when the local clock jumps", () => {
    const clock = createFakeClock();
    const server = createServerClock(clock);
    server.sample(at(clock.now()), true);
    const before = server.now();
    clock.jump(7_200_000);
    expect(server.now()).toBe(before);
  });
  it("[CMD-10] reports its maximum lead: null before the first message, then the drift since the best sample", () => {
    const clock = createFakeClock();
    const server = createServerClock(clock);
    expect(server.mayBeAhead()).toBeNull();
    server.sample(at(clock.now()), true);
    expect(server.mayBeAhead()).toBe(0);
    clock.advance(60_000);
    expect(server.mayBeAhead()).toBe(60);
    clock.advance(24 * 3_600_000);
    expect(server.mayBeAhead()).toBe(2_000);
    server.sample(at(clock.now() + 1), false);
    expect(server.mayBeAhead()).toBe(0);
  });
  it("[ONL-3] prefers the sample with the shorter travel time", () => {
    const clock = createFakeClock();
    const server = createServerClock(clock);
    const start = clock.now();
    server.sample(at(start - 900), true);
    server.sample(at(start - 100), false);
    server.sample(at(start - 500), false);
    expect(server.now()).toBe(start - 100);
  });
  it("[ONL-3] follows a server whose clock was set back", () => {
    const clock = createFakeClock();
    const server = createServerClock(clock);
    server.sample(at(clock.now()), true);
    server.sample(at(clock.now() - 60_000), false);
    expect(server.now()).toBe(clock.now() - 60_000);
  });
});

import type { PairingAnswer, PairingCode } from "@mulkko/shared/rest/displays";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { buildDisplay } from "../testing/build-display.ts";
import { codeGroups, createPairing, type Pairing } from "./pairing.ts";

const SECOND = 1_000;

/** A relay that gives the test's answers. */
class FakePairingCalls {
  codes = 0;
  unreachable = false;
  readonly asked: { deviceCode: string; at: number }[] = [];
  answers: PairingAnswer[] = [];
  private readonly clock: FakeClock;
  constructor(clock: FakeClock) {
    this.clock = clock;
  }
  async askCode(): Promise<PairingCode> {
    if (this.unreachable) throw new TypeError("fetch failed");
    this.codes += 1;
    return {
      code: `BCDFGHJ${this.codes}`,
      deviceCode: `secret-${this.codes}`,
      expiresInSeconds: 600,
      intervalSeconds: 5,
      approvePath: `/displays?code=BCDFGHJ${this.codes}`,
    };
  }
  async askToken(deviceCode: string): Promise<PairingAnswer> {
    this.asked.push({ deviceCode, at: this.clock.monotonic() });
    if (this.unreachable) throw new TypeError("fetch failed");
    return this.answers.shift() ?? { state: "pending" };
  }
}

describe("screen pairing", () => {
  let clock: FakeClock;
  let timers: FakeTimers;
  let calls: FakePairingCalls;
  let approved: string[];
  let pairing: Pairing;
  beforeEach(() => {
    clock = createFakeClock();
    timers = createFakeTimers(clock);
    calls = new FakePairingCalls(clock);
    approved = [];
    pairing = createPairing({
      calls,
      clock,
      timers,
      random: () => 0.5,
      approved: (token) => approved.push(token),
    });
  });
  const gaps = () => calls.asked.map(({ at }, index) => at - (calls.asked[index - 1]?.at ?? at)).slice(1);

  it("[wall] shows a code and polls every five seconds until a user approves it", async () => {
    pairing.start();
    await timers.pass(0);
    expect(pairing.store.getState()).toMatchObject({
      state: "code",
      code: "BCDFGHJ1",
      approvePath: "/displays?code=BCDFGHJ1",
      approveUrl: null,
    });
    await timers.pass(16 * SECOND);
    expect(gaps()).toEqual([5 * SECOND, 5 * SECOND]);
    calls.answers = [{ state: "approved", token: "mkd_1", display: buildDisplay() }];
    await timers.pass(60 * SECOND);
    expect(approved).toEqual(["mkd_1"]);
    expect(calls.asked).toHaveLength(4);
  });

  it("[wall] polls five seconds later from then on after a slow_down answer", async () => {
    pairing.start();
    calls.answers = [{ state: "slowDown" }, { state: "slowDown" }];
    await timers.pass(60 * SECOND);
    expect(gaps()).toEqual([10, 15, 15, 15].map((seconds) => seconds * SECOND));
  });

  it("[wall] requests a new code when one has ended, by the relay's answer or by the clock", async () => {
    pairing.start();
    calls.answers = [{ state: "expired" }];
    await timers.pass(6 * SECOND);
    expect(pairing.store.getState()).toMatchObject({ code: "BCDFGHJ2" });
    await timers.pass(610 * SECOND);
    expect(pairing.store.getState()).toMatchObject({ code: "BCDFGHJ3" });
  });

  it("[wall] keeps the code while the relay is unreachable for a moment", async () => {
    pairing.start();
    await timers.pass(0);
    calls.unreachable = true;
    await timers.pass(30 * SECOND);
    expect(pairing.store.getState()).toMatchObject({ state: "code", code: "BCDFGHJ1" });
  });

  it("[wall] reports a missing relay and retries forever", async () => {
    calls.unreachable = true;
    pairing.start();
    await timers.pass(300 * SECOND);
    expect(pairing.store.getState()).toEqual({ state: "asking", unreachable: true });
    calls.unreachable = false;
    await timers.pass(40 * SECOND);
    expect(pairing.store.getState()).toMatchObject({ state: "code" });
  });

  it("[wall] sends no request after it was stopped", async () => {
    const stop = pairing.start();
    await timers.pass(6 * SECOND);
    stop();
    await timers.pass(60 * SECOND);
    expect(calls.asked).toHaveLength(1);
  });

  it("[wall] shows a code in two groups", () => {
    expect(codeGroups("BCDFGHJK")).toEqual(["BCDF", "GHJK"]);
  });
});

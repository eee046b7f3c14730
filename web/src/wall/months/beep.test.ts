import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeTimers, type FakeTimers } from "../../live/testing/fake-relay.ts";
import { BEEP_EVERY_MS, type Beeper, createBeeper, keepBeeping, RESUME_WITHIN_MS } from "./beep.ts";

describe("the sound of what is most urgent", () => {
  it("[wall] is heard at once and again, until it is stopped", async () => {
    const timers = createFakeTimers(createFakeClock());
    let beeps = 0;
    const stop = keepBeeping(timers, () => {
      beeps += 1;
    });
    expect(beeps).toBe(1);
    await timers.pass(2 * BEEP_EVERY_MS);
    expect(beeps).toBe(3);
    stop();
    await timers.pass(2 * BEEP_EVERY_MS);
    expect(beeps).toBe(3);
  });
});

/** A browser's sound: suspended until it is resumed, which it may answer late. */
class FakeAudio {
  state = "suspended";
  private answers: (() => void)[] = [];
  resume(): Promise<void> {
    return new Promise((resolve) => this.answers.push(resolve));
  }
  allow(): void {
    this.state = "running";
    for (const answer of this.answers.splice(0)) answer();
  }
}

describe("what it sounds with", () => {
  let timers: FakeTimers;
  let opened: FakeAudio[];
  let played: number;
  let beeper: Beeper;
  const audio = () => {
    const [first] = opened;
    if (!first) throw new Error("no sound was opened");
    return first;
  };
  beforeEach(() => {
    timers = createFakeTimers(createFakeClock());
    opened = [];
    played = 0;
    beeper = createBeeper({
      open() {
        const fresh = new FakeAudio();
        opened.push(fresh);
        return fresh;
      },
      play: () => {
        played += 1;
      },
      timers,
    });
  });

  it("[wall] is resumed, and sounds as soon as the browser lets it", async () => {
    beeper.beep();
    expect(played).toBe(0);
    audio().allow();
    await timers.pass(0);
    expect(played).toBe(1);
  });

  it("[wall] is one for all times that it sounds", async () => {
    for (let time = 0; time < 5; time += 1) {
      beeper.beep();
      audio().allow();
      await timers.pass(BEEP_EVERY_MS);
    }
    expect([opened.length, played]).toEqual([1, 5]);
  });

  it("[wall] does not sound hours later, when a touch has woken it, but the next time that it should", async () => {
    beeper.beep();
    await timers.pass(RESUME_WITHIN_MS);
    beeper.touched();
    audio().allow();
    await timers.pass(0);
    expect(played).toBe(0);
    beeper.beep();
    expect(played).toBe(1);
  });
});

import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { BEEP_EVERY_MS, createBeeper, keepBeeping, RESUME_WITHIN_MS } from "./beep.ts";

describe("sound of the most urgent alarm", () => {
  it("[wall] plays at once and repeats until stopped", async () => {
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

/** A browser's audio context: suspended until resumed, possibly late. */
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

describe("audio context", () => {
  let timers: FakeTimers;
  let opened: FakeAudio[];
  let played: number;
  let beeper: ReturnType<typeof createBeeper>;
  const audio = () => {
    const [first] = opened;
    if (!first) throw new Error("no sound was opened");
    return first;
  };
  beforeEach(() => {
    timers = createFakeTimers(createFakeClock());
    opened = [];
    played = 0;
    beeper = createBeeper(
      () => {
        const fresh = new FakeAudio();
        opened.push(fresh);
        return fresh;
      },
      () => {
        played += 1;
      },
      timers,
    );
  });

  it("[wall] is resumed, and plays as soon as the browser allows it", async () => {
    beeper.beep();
    expect(played).toBe(0);
    audio().allow();
    await timers.pass(0);
    expect(played).toBe(1);
  });

  it("[wall] is created once for all sounds", async () => {
    for (let time = 0; time < 5; time += 1) {
      beeper.beep();
      audio().allow();
      await timers.pass(BEEP_EVERY_MS);
    }
    expect([opened.length, played]).toEqual([1, 5]);
  });

  it("[wall] does not play hours later after a touch, but at the next alarm", async () => {
    beeper.beep();
    await timers.pass(RESUME_WITHIN_MS);
    beeper.noteTouch();
    audio().allow();
    await timers.pass(0);
    expect(played).toBe(0);
    beeper.beep();
    expect(played).toBe(1);
  });
});

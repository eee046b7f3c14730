import type { Clock } from "@mulkko/shared/rules/clock";
import type { DemoDevice } from "./device.ts";
import { type DemoReading, type Replay, uplinkOf } from "./replay.ts";

/** When a device measures next, and when it says so. Milliseconds since 1970 UTC. */
interface Turn {
  readonly at: number;
  readonly due: number;
}

/** A timer may ring this much early; a turn that near has just been taken. */
const TIMER_SLACK_MS = 5;

/**
 * The first turn that is due after `now`. Devices measure on the interval's grid, so that a recorded row's own
 * time is met, and send at phases of their own, so that they do not all send at once.
 */
export function nextTurn(now: number, intervalMs: number, phase: number): Turn {
  const at = (Math.floor((now - phase) / intervalMs) + 1) * intervalMs;
  return { at, due: at + phase };
}

interface PublisherOptions {
  readonly devices: readonly DemoDevice[];
  readonly replay: Replay;
  readonly clock: Pick<Clock, "now">;
  readonly intervalMs: number;
  /** Hands one message of `mulkko/{serial}/up` to the device's link. */
  readonly publish: (serial: number, payload: Record<string, unknown>) => void;
  /** What the farm's valves make of a reading. */
  readonly watered: (device: DemoDevice, reading: DemoReading) => DemoReading;
}

/** Lets every device speak once per interval, where the recording lets it. */
export function startPublisher(options: PublisherOptions): { stop(): void } {
  const { devices, replay, clock, intervalMs } = options;
  const timers = new Map<number, NodeJS.Timeout>();

  function schedule(device: DemoDevice, phase: number): void {
    const now = clock.now();
    const turn = nextTurn(now + TIMER_SLACK_MS, intervalMs, phase);
    const timer = setTimeout(() => {
      const reading = replay.readingAt(device, turn.at);
      if (reading !== null) options.publish(device.serial, uplinkOf(options.watered(device, reading)));
      schedule(device, phase);
    }, turn.due - now);
    timers.set(device.serial, timer);
  }

  for (const [place, device] of devices.entries()) {
    schedule(device, Math.floor((place * intervalMs) / devices.length));
  }
  return {
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

import type { Clock } from "@mulkko/shared/rules/clock";
import type { DemoDevice } from "./device.ts";
import { type DemoReading, type Replay, uplinkOf } from "./replay.ts";

/** Times of a device's next measurement and its transmission, ms since 1970 UTC. */
interface Turn {
  readonly at: number;
  readonly due: number;
}

/** A timer may fire this much early; a turn this close has just been done. */
const TIMER_SLACK_MS = 5;

/**
 * Return the first turn after `now`. Devices measure on the interval's grid, so that the times of recorded
 * rows are met. They send at their own phases, so that they do not all send at once.
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
  /** Pass one message of `mulkko/{serial}/up` to the device's connection. */
  readonly publish: (serial: number, payload: Record<string, unknown>) => void;
  /** Apply the water of the farm's valves to a reading. */
  readonly watered: (device: DemoDevice, reading: DemoReading) => DemoReading;
}

/** Let every device send once per interval, where the recording has a reading. */
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

import { topic } from "@mulkko/shared/mqtt/topics";
import { every } from "../../../web/src/wall/every.ts";
import type { Machine } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import { type DevicePlace, MqttDevice } from "./mqtt-device.ts";

/** How a sensor is made. */
export interface SensorHabits {
  /** Interval of its readings, ms. */
  readonly reportMs: number;
  readonly keepAliveMs: number;
  /** States the time of its readings. */
  readonly hasClock: boolean;
}

/** A reading as it was measured: each has a value of its own. */
export interface Measured {
  /** °C */
  readonly value: number;
  /** True time, ms UTC. */
  readonly at: number;
  /** The time that its message states, ms UTC; null: none. */
  readonly statedAt: number | null;
  isAcknowledged: boolean;
}

/** A reading in the history, or on a screen. `at` is ms UTC. */
export interface StoredReading {
  readonly at: number;
  readonly value: number;
  /** True if it is marked as of a wrong clock (ORD-2). */
  readonly isMarked: boolean;
}

/** Most readings that wait in its memory. */
const MAX_WAITING = 60;
const STEP = 0.01;

/** A sensor (docs/devices.md) that counts instead of measuring, so that no two of its readings are alike. */
export class Sensor {
  readonly machine: Machine;
  readonly #serial: number;
  readonly #habits: SensorHabits;
  readonly #time: WorldTime;
  readonly #device: MqttDevice;
  readonly #measured: Measured[] = [];

  constructor(parts: DevicePlace & { readonly machine: Machine }, habits: SensorHabits) {
    this.machine = parts.machine;
    this.#serial = parts.serial;
    this.#time = parts.time;
    this.#habits = habits;
    const { keepAliveMs } = habits;
    this.#device = new MqttDevice(parts, {
      keepAliveMs,
      will: null,
      filter: null,
      maxWaiting: MAX_WAITING,
      repeats: true,
    });
    this.#device.onAcknowledged = (payload) => {
      const one = this.#measured.find(({ value }) => payload.includes(`"soilTemperature":${value},`));
      if (one) one.isAcknowledged = true;
    };
  }

  /** All of its readings, oldest first. */
  get measured(): readonly Measured[] {
    return this.#measured;
  }

  powerOn(): void {
    const process = this.machine.boot();
    this.#device.begin(process);
    every(process.timers, this.#habits.reportMs, () => this.#measure());
  }

  powerOff(): void {
    this.machine.kill();
    this.#device.end();
  }

  #measure(): void {
    const value = Math.round((this.#measured.length + 1) * STEP * 100) / 100;
    const statedAt = this.#habits.hasClock ? this.machine.clock.now() : null;
    this.#measured.push({ value, at: this.#time.now, statedAt, isAcknowledged: false });
    const reading = {
      soilTemperature: value,
      moisture: 25,
      ...(statedAt !== null && { at: new Date(statedAt).toISOString() }),
    };
    this.#device.publish({ topic: topic.up(this.#serial), payload: JSON.stringify(reading), retain: false });
  }
}

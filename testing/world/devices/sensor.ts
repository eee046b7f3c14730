import { topic } from "@mulkko/shared/mqtt/topics";
import type { Random } from "@mulkko/shared/rules/clock";
import { every } from "../../../web/src/wall/every.ts";
import type { Machine } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { LoraPlan } from "../plan/lora-plan.ts";
import { EVENTS, Lorawan, NETWORK_SERVER } from "./lorawan.ts";
import { type DevicePlace, MqttDevice } from "./mqtt-device.ts";
import type { Soil } from "./soil.ts";

/** How a sensor is made. */
export interface SensorHabits {
  /** Interval of its readings, ms. */
  readonly reportMs: number;
  readonly keepAliveMs: number;
  /** States the time of its readings. */
  readonly hasClock: boolean;
  /** The soil that it is in. Absent: its moisture never changes. */
  readonly soil?: Soil | null;
  /** Gateways that it reaches. Absent: it connects by itself. */
  readonly lora?: { readonly plan: LoraPlan; readonly random: Random; readonly start: number } | null;
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

/** A reading as its message says it, of the sensor itself or of a network server. */
export interface SaidReading {
  /** °C */
  readonly value: number;
  /** % */
  readonly moisture: number;
  /** ms UTC; null: none. */
  readonly statedAt: number | null;
}

/** Return the reading in a message; null for another message. */
export function readingIn(payload: string): SaidReading | null {
  const value = /"(?:soilTemperature|temp_SOIL)":([\d.]+)/.exec(payload)?.[1];
  const moisture = /"(?:moisture|water_SOIL)":([\d.]+)/.exec(payload)?.[1];
  const at = /"(?:at|time)":"([^"]+)"/.exec(payload)?.[1];
  if (value === undefined || moisture === undefined) return null;
  return {
    value: Number(value),
    moisture: Number(moisture),
    statedAt: at === undefined ? null : Date.parse(at),
  };
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
/** Moisture without a soil, %. */
const MOISTURE = 25;

/** A sensor (docs/devices.md) that counts instead of measuring, so that no two of its readings are alike. */
export class Sensor {
  readonly machine: Machine;
  readonly #serial: number;
  readonly #habits: SensorHabits;
  readonly #time: WorldTime;
  readonly #device: MqttDevice;
  readonly #lora: Lorawan | null;
  readonly #measured: Measured[] = [];
  #hasBegun = false;

  constructor(parts: DevicePlace & { readonly machine: Machine }, habits: SensorHabits) {
    this.machine = parts.machine;
    this.#serial = parts.serial;
    this.#time = parts.time;
    this.#habits = habits;
    const { keepAliveMs } = habits;
    const { lora } = habits;
    const server = lora ? { username: NETWORK_SERVER.username, key: NETWORK_SERVER.key } : {};
    this.#lora = lora
      ? new Lorawan(lora.plan, { time: parts.time, random: lora.random, start: lora.start }, (payload) =>
          this.#forward(payload),
        )
      : null;
    this.#device = new MqttDevice(
      { ...parts, ...server },
      {
        keepAliveMs,
        will: null,
        filter: null,
        maxWaiting: MAX_WAITING,
        repeats: true,
      },
    );
    this.#device.onAcknowledged = (payload) => {
      const said = readingIn(payload);
      const one = this.#measured.find(({ value }) => value === said?.value);
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
    if (this.#lora === null) {
      every(process.timers, this.#habits.reportMs, () => this.#measure());
      return;
    }
    // The machine is the network server's: the sensor has a battery, joins again, and sends on.
    this.#device.publish({ topic: `${EVENTS}/join`, payload: "{}", retain: false });
    this.#lora.sendAllKept();
    this.#begin();
  }

  powerOff(): void {
    this.machine.kill();
    this.#device.end();
  }

  /** A LoRaWAN sensor begins to send, once. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const send = (): void => {
      this.#measure();
      this.#time.after(this.#habits.reportMs, send);
    };
    this.#time.after(this.#habits.reportMs, send);
  }

  /** The network server sends an event to the farm API. @returns false while it is not running */
  #forward(payload: string): boolean {
    if (!this.machine.isWorking) return false;
    this.#device.publish({ topic: `${EVENTS}/up`, payload, retain: false });
    return true;
  }

  /** True for the topic of its readings. */
  speaksIn(name: string): boolean {
    return name === (this.#lora ? `${EVENTS}/up` : topic.up(this.#serial));
  }

  #measure(): void {
    const value = Math.round((this.#measured.length + 1) * STEP * 100) / 100;
    const moisture = this.#habits.soil?.moistureAt(this.#time.now) ?? MOISTURE;
    if (this.#lora) {
      const sentAt = this.#lora.send({ temp_SOIL: value, water_SOIL: moisture });
      this.#measured.push({ value, at: this.#time.now, statedAt: sentAt, isAcknowledged: false });
      return;
    }
    const statedAt = this.#habits.hasClock ? this.machine.clock.now() : null;
    this.#measured.push({ value, at: this.#time.now, statedAt, isAcknowledged: false });
    const reading = {
      soilTemperature: value,
      moisture,
      ...(statedAt !== null && { at: new Date(statedAt).toISOString() }),
    };
    this.#device.publish({ topic: topic.up(this.#serial), payload: JSON.stringify(reading), retain: false });
  }
}

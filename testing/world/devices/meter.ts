import { topic } from "@mulkko/shared/mqtt/topics";
import { every } from "../../../web/src/wall/every.ts";
import type { Machine } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { MeterKind } from "../plan/meter-kind.ts";
import { type DevicePlace, MqttDevice } from "./mqtt-device.ts";
import { flowBetween, type Piped } from "./pipe.ts";
import type { Valve } from "./truth.ts";

/** A total as a meter sent it. */
export interface Total {
  /** True time, ms UTC. */
  readonly at: number;
  readonly litres: number;
  readonly payload: string;
  /** When the meter learned that it is stored, true time, ms UTC; null: it has not. */
  acknowledgedAt: number | null;
}

/** A stated time that differs by less from the farm API's clock is believed (ORD-2), ms. */
const BELIEVED_MS = 5 * 60_000;
/** Most readings that wait in its memory. */
const MAX_WAITING = 60;

/**
 * A flow meter (docs/devices.md, type WATERFLOW) in the pipe of some valves: it counts the water that flows through
 * them, with the memory and the habits of its make.
 */
export class Meter {
  readonly machine: Machine;
  readonly valves: readonly Valve[];
  readonly kind: MeterKind;
  readonly #serial: number;
  readonly #time: WorldTime;
  readonly #device: MqttDevice;
  readonly #pipes: readonly Piped[];
  readonly #totals: Total[] = [];
  /** Times without power, true time, ms UTC; the last one may have no end. */
  readonly #outages: { readonly from: number; to: number }[] = [];
  /** From when on it counts, and the litres on it then. */
  #base: { readonly at: number; readonly litres: number };

  constructor(
    parts: DevicePlace & { readonly machine: Machine; readonly pipes: readonly Piped[] },
    kind: MeterKind,
    keepAliveMs: number,
  ) {
    this.machine = parts.machine;
    this.kind = kind;
    this.#serial = parts.serial;
    this.#time = parts.time;
    this.#pipes = parts.pipes;
    this.valves = parts.pipes.map(({ valve }) => valve);
    this.#base = { at: parts.time.now, litres: kind.total };
    this.#device = new MqttDevice(parts, {
      keepAliveMs,
      will: null,
      filter: null,
      maxWaiting: MAX_WAITING,
      repeats: kind.repeats,
    });
    this.#device.onAcknowledged = (payload) => {
      const one = this.#totals.find((total) => total.acknowledgedAt === null && total.payload === payload);
      if (one) one.acknowledgedAt = this.#time.now;
    };
  }

  /** Return the water that no reading of it can show: from the last one before a power cut to the first after it. */
  hiddenBetween(from: number, to: number): number {
    const arrived = this.#totals.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
    return this.#outages
      .map((outage) => ({
        from: arrived.findLast(({ at }) => at <= outage.from)?.at ?? Number.NEGATIVE_INFINITY,
        to: arrived.find(({ at }) => at >= outage.to)?.at ?? Number.POSITIVE_INFINITY,
      }))
      .filter((gap) => gap.from < to && gap.to > from)
      .reduce((sum, gap) => sum + flowBetween(this.#pipes, gap.from, gap.to), 0);
  }

  /**
   * Return how far the times of its readings of a time may be off from those of the runs, ms: by its clock, or by their
   * way, if they state no time that the farm API believes (ORD-2).
   *
   * @param apiOffsets every difference of the farm API's clock to true time so far, ms
   */
  shiftBetween(from: number, to: number, apiOffsets: readonly number[]): number {
    const { hasClock, offsetMs } = this.kind;
    const differences = apiOffsets.map((one) => Math.abs(offsetMs - one));
    const believed = hasClock ? differences.filter((ms) => ms < BELIEVED_MS) : [];
    if (hasClock && believed.length === differences.length) return Math.max(...believed);
    const ways = this.#totals
      .filter(({ at }) => at >= from && at <= to)
      .map(({ at, acknowledgedAt }) => (acknowledgedAt ?? at) - at);
    return Math.max(0, ...believed, ...ways);
  }

  powerOn(): void {
    const process = this.machine.boot();
    const { now } = this.#time;
    const outage = this.#outages.at(-1);
    if (outage?.to === Number.POSITIVE_INFINITY) {
      outage.to = now;
      const { memory } = this.kind;
      if (memory === "ram") this.#base = { at: now, litres: 0 };
      if (memory === "flash")
        this.#base = { at: now, litres: this.#totals.at(-1)?.litres ?? this.kind.total };
    }
    this.#device.begin(process);
    every(process.timers, this.kind.reportMs, () => this.#report());
    const { statusMs } = this.kind;
    if (statusMs !== undefined) every(process.timers, statusMs, () => this.#send({ pumpopencount: 3 }));
  }

  powerOff(): void {
    this.#outages.push({ from: this.#time.now, to: Number.POSITIVE_INFINITY });
    this.machine.kill();
    this.#device.end();
  }

  #report(): void {
    const { now } = this.#time;
    const { unit } = this.kind;
    const exact = this.#base.litres + flowBetween(this.#pipes, this.#base.at, now);
    const litres = Math.round(Math.floor(exact / unit + 1e-9) * unit * 10) / 10;
    const payload = this.#send({ flowmeter: litres });
    this.#totals.push({ at: now, litres, payload, acknowledgedAt: null });
  }

  /** @returns the payload */
  #send(values: object): string {
    const at = this.machine.clock.now();
    const stated = this.kind.hasClock && { at: new Date(at).toISOString() };
    const payload = JSON.stringify({ ...values, ...stated });
    this.#device.publish({ topic: topic.up(this.#serial), payload, retain: false });
    return payload;
  }
}

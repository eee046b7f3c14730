import type { Timer } from "@mulkko/shared/rules/clock";
import { every } from "../../../web/src/wall/every.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import { type DevicePlace, MqttDevice } from "./mqtt-device.ts";
import type { Valve } from "./truth.ts";
import type { Order, Report, ValveController } from "./valve-controller.ts";

/** How a Tasmota is made. */
export interface TasmotaHabits {
  /** Its `Topic`. */
  readonly address: string;
  /** Its `TelePeriod`, ms. */
  readonly reportMs: number;
  readonly keepAliveMs: number;
}

/** Settings and the last power state, which are in its flash. */
interface Kept {
  readonly valve: Valve;
  pulse: number;
  wasOn: boolean;
  /** End of the pulse; lost with the power. */
  ending: Timer | null;
}

/** `PowerOnState` that brings the last state back: the firmware's default. */
const LAST_STATE = 3;
/** Most messages that wait for an acknowledgement. */
const MAX_WAITING = 20;

const secondsOf = (pulse: number): number => (pulse < 112 ? pulse / 10 : pulse - 100);
const power = (isOn: boolean): "ON" | "OFF" => (isOn ? "ON" : "OFF");

/**
 * A Tasmota with a relay for each valve, by its documentation (https://tasmota.github.io/docs/MQTT/,
 * https://tasmota.github.io/docs/Commands/): commands without ids, a pulse as its only limit, a query of the power that
 * stops the pulse, and messages that are lost while it has no connection.
 */
export class Tasmota implements ValveController {
  readonly machine: Machine;
  readonly #habits: TasmotaHabits;
  readonly #time: WorldTime;
  readonly #device: MqttDevice;
  readonly #relays: readonly Kept[];
  #process: Process | null = null;
  #powerOnState = LAST_STATE;
  onObeyed: (order: Order) => void = () => undefined;
  onDone: (order: Order) => void = () => undefined;

  constructor(
    parts: DevicePlace & {
      readonly machine: Machine;
      readonly valves: readonly Valve[];
    },
    habits: TasmotaHabits,
  ) {
    this.machine = parts.machine;
    this.#time = parts.time;
    this.#habits = habits;
    this.#relays = parts.valves.map((valve) => ({ valve, pulse: 0, wasOn: false, ending: null }));
    const { address, keepAliveMs } = habits;
    this.#device = new MqttDevice(parts, {
      keepAliveMs,
      will: { topic: `tele/${address}/LWT`, payload: "Offline" },
      filter: `cmnd/${address}/#`,
      maxWaiting: MAX_WAITING,
      repeats: false,
    });
    this.#device.onConnected = () => {
      this.#device.publishFirst({ topic: `tele/${address}/LWT`, payload: "Online", retain: true });
      this.#say("tele", "STATE", this.#powers());
    };
    this.#device.onMessage = (topic, payload) => this.#run(topic.split("/").at(-1) ?? "", `${payload}`);
  }

  get isConnected(): boolean {
    return this.#device.isConnected;
  }

  powerOn(): void {
    const process = this.machine.boot();
    this.#process = process;
    for (const relay of this.#relays) {
      relay.ending = null;
      relay.valve.turn(this.#powerOnState === LAST_STATE && relay.wasOn, this.#time.now, null);
    }
    this.#device.begin(process);
    every(process.timers, this.#habits.reportMs, () => this.#say("tele", "STATE", this.#powers()));
  }

  powerOff(): void {
    this.machine.kill();
    this.#process = null;
    this.#device.end();
  }

  turnByHand(valve: Valve, open: boolean): void {
    const relay = this.#relays.find((one) => one.valve === valve);
    if (relay && this.machine.isWorking && valve.isOpen !== open) this.#turn(relay, open, null);
  }

  reportsIn(topic: string, payload: string): readonly Report[] {
    const { address } = this.#habits;
    if (topic !== `stat/${address}/RESULT` && topic !== `stat/${address}/STATUS11`) {
      if (topic !== `tele/${address}/STATE`) return [];
    }
    return [...payload.matchAll(/"POWER(\d)":"(ON|OFF)"/g)].map(([, number, state]) => ({
      number: Number(number),
      isOpen: state === "ON",
    }));
  }

  #powers(): Record<string, string> {
    return Object.fromEntries(
      this.#relays.map(({ valve }) => [`POWER${valve.number}`, power(valve.isOpen)] as const),
    );
  }

  /** Publish, if it is connected. */
  #say(prefix: "stat" | "tele", name: string, body: object): void {
    if (!this.#device.isConnected) return;
    const topic = `${prefix}/${this.#habits.address}/${name}`;
    this.#device.publish({ topic, payload: JSON.stringify(body), retain: false });
  }

  #run(command: string, value: string): void {
    const name = command.toUpperCase();
    const number = Number(/\d+$/.exec(name)?.[0] ?? "1");
    const relay = this.#relays.find(({ valve }) => valve.number === number);
    if (name.startsWith("BACKLOG")) {
      for (const part of value.split(";")) {
        const [one = "", ...rest] = part.trim().split(" ");
        this.#run(one, rest.join(" "));
      }
    } else if (name === "POWERONSTATE") {
      if (value !== "") this.#powerOnState = Number(value);
      this.#say("stat", "RESULT", { PowerOnState: this.#powerOnState });
    } else if (name.startsWith("POWER") && relay) {
      if (value === "") relay.ending?.cancel();
      else this.#obey(relay, value === "ON");
    } else if (name.startsWith("PULSETIME") && relay) {
      if (value !== "") relay.pulse = Number(value);
      this.#say("stat", "RESULT", { [`PulseTime${number}`]: { Set: relay.pulse, Remaining: 0 } });
    } else if (name === "STATUS") this.#say("stat", "STATUS11", { StatusSTS: this.#powers() });
    else this.#say("stat", "RESULT", { Command: "Unknown" });
  }

  #obey(relay: Kept, isOn: boolean): void {
    const runSeconds = isOn && relay.pulse > 0 ? secondsOf(relay.pulse) : 0;
    const order: Order = { commandId: null, target: isOn ? 1 : 2, valve: relay.valve, runSeconds };
    this.onObeyed(order);
    this.#turn(relay, isOn, "");
    this.onDone(order);
  }

  /** @param by the command that turns it; null for a button or the end of its pulse */
  #turn(relay: Kept, isOn: boolean, by: string | null): void {
    const { valve } = relay;
    relay.ending?.cancel();
    relay.ending = null;
    valve.turn(isOn, this.#time.now, by);
    relay.wasOn = isOn;
    if (isOn && relay.pulse > 0) {
      const end = (): void => this.#turn(relay, false, null);
      relay.ending = this.#process?.timers.after(secondsOf(relay.pulse) * 1_000, end) ?? null;
    }
    // What it says is the state of its relay, whatever the valve behind it does.
    this.#say("stat", "RESULT", { [`POWER${valve.number}`]: power(valve.isOpen) });
  }
}

import {
  ChannelStateMessage,
  ModeCommand,
  OnOffCommand,
  PeriodCommand,
  ReservationCommand,
} from "@mulkko/shared/mqtt/device-messages";
import { parseDeviceTopic, topic } from "@mulkko/shared/mqtt/topics";
import type { Timer } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import { every } from "../../../web/src/wall/every.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import { type DevicePlace, MqttDevice } from "./mqtt-device.ts";
import type { Valve } from "./truth.ts";
import type { Order, Report, ValveController } from "./valve-controller.ts";

/** How a controller is made. */
export interface ControllerHabits {
  /** Interval of its reports, ms. */
  readonly reportMs: number;
  readonly keepAliveMs: number;
  /** Time until an obeyed command has turned the valve, ms. */
  readonly turnMs: number;
  /** States the time of its reports. */
  readonly hasClock: boolean;
  /** Publishes a birth and a will. */
  readonly hasWill: boolean;
  /** When it connects it reports its first valve only, and it reports nothing when it is asked to. */
  readonly isTerse?: boolean;
}

/** Run of an opening without a limit, s. */
const DEFAULT_RUN_S = 600;
const REMEMBERED = 64;
/** Most reports that wait for an acknowledgement; the oldest are dropped. */
const MAX_WAITING = 20;

/** Memory of a channel while there is power. */
interface Channel {
  readonly valve: Valve;
  commandId: string | null;
  /** End of the run on the controller's clock, ms. */
  runUntil: number | null;
  closing: Timer | null;
}

/**
 * A native controller (docs/devices.md): obeys openings before they expire and each once, closings always, ends each
 * run by itself, and reports what its valves are, with QoS 1.
 */
export class NativeController implements ValveController {
  readonly serial: number;
  readonly machine: Machine;
  readonly #habits: ControllerHabits;
  readonly #device: MqttDevice;
  readonly #time: WorldTime;
  readonly #channels: readonly Channel[];
  #process: Process | null = null;
  #executed: string[] = [];
  /** Lengths of the modes' waterings, minutes, by channel and mode: in its flash, whatever the power does. */
  readonly #minutes = new Map<string, number>();
  /** Modes in charge, by channel: there, too. */
  readonly #inCharge = new Map<number, string>();
  onObeyed: (order: Order) => void = () => undefined;
  onDone: (order: Order) => void = () => undefined;

  constructor(
    parts: DevicePlace & {
      readonly machine: Machine;
      readonly valves: readonly Valve[];
    },
    habits: ControllerHabits,
  ) {
    this.serial = parts.serial;
    this.machine = parts.machine;
    this.#time = parts.time;
    this.#channels = parts.valves.map((valve) => ({ valve, commandId: null, runUntil: null, closing: null }));
    this.#habits = habits;
    const status = topic.status(this.serial);
    const { keepAliveMs, hasWill } = habits;
    this.#device = new MqttDevice(parts, {
      keepAliveMs,
      will: hasWill ? { topic: status, payload: "offline" } : null,
      filter: `mulkko/${this.serial}/ch/+/cmd/#`,
      maxWaiting: MAX_WAITING,
      repeats: true,
    });
    this.#device.onConnected = () => {
      if (hasWill) this.#device.publishFirst({ topic: status, payload: "online", retain: true });
      const first = habits.isTerse ? this.#channels.slice(0, 1) : this.#channels;
      for (const channel of first) this.#report(channel);
    };
    this.#device.onMessage = (name, payload) => this.#obey(name, payload);
  }

  /** Return the length of a mode's watering that it was sent last, minutes; null: none. */
  minutesOf(number: number, mode: "period" | "reservation"): number | null {
    return this.#minutes.get(`${number}/${mode}`) ?? null;
  }

  /** Return the mode that it was sent last as the one in charge of a channel; null: none was sent. */
  inCharge(number: number): string | null {
    return this.#inCharge.get(number) ?? null;
  }

  get isConnected(): boolean {
    return this.#device.isConnected;
  }

  /** Power on: its valves are closed by their springs. */
  powerOn(): void {
    const process = this.machine.boot();
    this.#process = process;
    this.#executed = [];
    for (const channel of this.#channels) {
      channel.valve.turn(false, this.#time.now, null);
      channel.commandId = null;
      channel.runUntil = null;
      channel.closing = null;
    }
    this.#device.begin(process);
    every(process.timers, this.#habits.reportMs, () => {
      for (const channel of this.#channels) this.#report(channel);
    });
  }

  powerOff(): void {
    this.machine.kill();
    this.#process = null;
    this.#device.end();
  }

  /** Turn a valve by its lever. */
  turnByHand(valve: Valve, open: boolean): void {
    const channel = this.#channels.find((one) => one.valve === valve);
    if (!channel || !valve.turn(open, this.#time.now, null)) return;
    channel.closing?.cancel();
    channel.runUntil = null;
    channel.commandId = null;
    this.machine.perform(() => this.#report(channel));
  }

  reportsIn(name: string, payload: string): readonly Report[] {
    const parsed = parseDeviceTopic(name);
    const state = parseJson(ChannelStateMessage, payload);
    if (parsed?.kind !== "state" || !state.ok) return [];
    return [{ number: parsed.number, isOpen: state.value.onoff === 1 }];
  }

  #report(channel: Channel): void {
    const { valve, commandId, runUntil } = channel;
    const state = {
      onoff: valve.isOpen ? 1 : 2,
      ...(commandId !== null && { commandId }),
      ...(this.#habits.hasClock && { at: new Date(this.machine.clock.now()).toISOString() }),
      ...(this.#habits.hasClock &&
        runUntil !== null &&
        valve.isOpen && { runUntil: new Date(runUntil).toISOString() }),
    };
    const name = topic.channelState(this.serial, valve.number);
    this.#device.publish({ topic: name, payload: JSON.stringify(state), retain: true });
  }

  #obey(name: string, payload: Buffer): void {
    const [, number, what] = /\/ch\/(\d)\/cmd\/(\w+)$/.exec(name) ?? [];
    const channel = this.#channels.find(({ valve }) => valve.number === Number(number));
    if (!channel) return;
    if (what === "period" || what === "reservation") {
      const mode = parseJson(what === "period" ? PeriodCommand : ReservationCommand, payload.toString());
      if (!mode.ok) throw new Error(`a setting breaks the contract: ${mode.path} ${mode.message}`);
      const { setting } = mode.value;
      const minutes = setting?.wateringDuration ?? null;
      if (minutes === null) this.#minutes.delete(`${number}/${what}`);
      else this.#minutes.set(`${number}/${what}`, minutes);
      return;
    }
    if (what === "mode") {
      const mode = parseJson(ModeCommand, payload.toString());
      if (!mode.ok) throw new Error(`a mode breaks the contract: ${mode.path} ${mode.message}`);
      this.#inCharge.set(Number(number), mode.value.active);
    }
    if (what === "report" && !this.#habits.isTerse) this.#report(channel);
    if (what !== "onoff") return;
    const parsed = parseJson(OnOffCommand, payload.toString());
    if (!parsed.ok) throw new Error(`a command breaks the contract: ${parsed.path} ${parsed.message}`);
    const { state, commandId, expiresAt, maxRunSeconds } = parsed.value;
    if (state === 1) {
      if (this.machine.clock.now() > Date.parse(expiresAt)) return;
      if (this.#executed.includes(commandId)) return;
    }
    this.#executed = [...this.#executed, commandId].slice(-REMEMBERED);
    const runSeconds = state === 1 ? (maxRunSeconds ?? DEFAULT_RUN_S) : 0;
    const order: Order = { commandId, target: state, valve: channel.valve, runSeconds };
    this.onObeyed(order);
    const runMs = runSeconds * 1_000;
    this.#process?.timers.after(this.#habits.turnMs, () => {
      this.#turn(channel, state === 1, commandId, runMs);
      this.onDone(order);
    });
  }

  #turn(channel: Channel, open: boolean, commandId: string, runMs: number): void {
    const { valve } = channel;
    channel.closing?.cancel();
    channel.closing = null;
    channel.commandId = commandId;
    channel.runUntil = open ? this.machine.clock.now() + runMs : null;
    valve.turn(open, this.#time.now, commandId);
    if (open) {
      channel.closing =
        this.#process?.timers.after(runMs, () => {
          valve.turn(false, this.#time.now, null);
          channel.runUntil = null;
          this.#report(channel);
        }) ?? null;
    }
    this.#report(channel);
  }
}

import type { Timer } from "@mulkko/shared/rules/clock";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { every } from "../../../web/src/wall/every.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import { type DevicePlace, MqttDevice } from "./mqtt-device.ts";
import type { Valve } from "./truth.ts";
import type { Order, Report, ValveController } from "./valve-controller.ts";

/** How a Shelly is made. */
export interface ShellyHabits {
  /** Its MQTT prefix. */
  readonly address: string;
  readonly serial: number;
  /** Interval of its notifications about energy, which do not state the output, ms. */
  readonly reportMs: number;
  readonly keepAliveMs: number;
  /** False: it reaches no time server, and counts from its start. */
  readonly hasClock: boolean;
  /** `status_ntf` is on: it publishes a whole status at each change. */
  readonly hasStatus: boolean;
}

/** A switch with its configuration and last output, which are in its flash. */
interface Switch {
  readonly valve: Valve;
  initialState: string;
  isAutoOff: boolean;
  autoOffSeconds: number;
  wasOn: boolean;
  /** The running timer; lost with the power. */
  timer: { readonly startedAt: number; readonly seconds: number; readonly ending: Timer } | null;
}

const Config = Type.Object({
  initial_state: Type.String(),
  auto_off: Type.Boolean(),
  auto_off_delay: Type.Number(),
});
const Call = Type.Object({
  id: Type.String(),
  src: Type.String(),
  method: Type.String(),
  params: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      on: Type.Optional(Type.Boolean()),
      toggle_after: Type.Optional(Type.Number()),
      config: Type.Optional(Config),
    }),
  ),
});
const Output = Type.Object({ output: Type.Optional(Nullable(Type.Boolean())) });
const Components = Type.Record(Type.String(), Type.Unknown());
const Event = Type.Object({ params: Components });
const Answer = Type.Object({ id: Type.String(), result: Components });

/** Most messages that wait for an acknowledgement. */
const MAX_WAITING = 20;

/**
 * A Shelly of the second generation with a switch for each valve, by its documentation
 * (https://shelly-api-docs.shelly.cloud/gen2/ComponentsAndServices/Switch, …/Mqtt, …/General/Notifications): commands
 * without ids, a timer that flips an output back, `auto_off` for the rest, notifications of changes only, and messages
 * that are lost while it has no connection.
 */
export class Shelly implements ValveController {
  readonly machine: Machine;
  readonly #habits: ShellyHabits;
  readonly #time: WorldTime;
  readonly #device: MqttDevice;
  readonly #switches: readonly Switch[];
  #process: Process | null = null;
  #bootedAt = 0;
  onObeyed: (order: Order) => void = () => undefined;
  onDone: (order: Order) => void = () => undefined;

  constructor(
    parts: DevicePlace & {
      readonly machine: Machine;
      readonly valves: readonly Valve[];
    },
    habits: ShellyHabits,
  ) {
    this.machine = parts.machine;
    this.#time = parts.time;
    this.#habits = habits;
    this.#switches = parts.valves.map((valve) => ({
      valve,
      initialState: "restore_last",
      isAutoOff: false,
      autoOffSeconds: 60,
      wasOn: false,
      timer: null,
    }));
    const { address, keepAliveMs } = habits;
    this.#device = new MqttDevice(parts, {
      keepAliveMs,
      will: { topic: `${address}/online`, payload: "false" },
      filter: `${address}/rpc`,
      maxWaiting: MAX_WAITING,
      repeats: false,
    });
    this.#device.onConnected = () =>
      this.#device.publishFirst({ topic: `${address}/online`, payload: "true", retain: true });
    this.#device.onMessage = (_, payload) => this.#call(`${payload}`);
  }

  get isConnected(): boolean {
    return this.#device.isConnected;
  }

  powerOn(): void {
    const process = this.machine.boot();
    this.#process = process;
    this.#bootedAt = this.machine.clock.monotonic();
    for (const one of this.#switches) {
      one.timer = null;
      const isOn = one.initialState === "restore_last" && one.wasOn;
      one.valve.turn(isOn, this.#time.now, null);
      one.wasOn = isOn;
      this.#limit(one, isOn, undefined);
    }
    this.#device.begin(process);
    every(process.timers, this.#habits.reportMs, () => {
      for (const { valve } of this.#switches) this.#notify(valve.number, { apower: 0 });
    });
  }

  powerOff(): void {
    this.machine.kill();
    this.#process = null;
    this.#device.end();
  }

  turnByHand(valve: Valve, open: boolean): void {
    const one = this.#switches.find((other) => other.valve === valve);
    if (one && this.machine.isWorking && valve.isOpen !== open) this.#turn(one, open, undefined, null);
  }

  reportsIn(topic: string, payload: string): readonly Report[] {
    const { address, serial } = this.#habits;
    if (topic === `mulkko/${serial}/valve/rpc`) {
      const answer = parseJson(Answer, payload);
      const [what, number] = answer.ok ? answer.value.id.split("/") : [];
      if (!answer.ok || what !== "status") return [];
      return this.#reported(Number(number), answer.value.result[`switch:${Number(number) - 1}`]);
    }
    const number = new RegExp(`^${address}/status/switch:(\\d)$`).exec(topic)?.[1];
    if (number !== undefined) return this.#reported(Number(number) + 1, JSON.parse(payload));
    const event = topic === `${address}/events/rpc` ? parseJson(Event, payload) : null;
    if (!event?.ok) return [];
    return Object.entries(event.value.params).flatMap(([name, status]) =>
      name.startsWith("switch:") ? this.#reported(Number(name.slice("switch:".length)) + 1, status) : [],
    );
  }

  #reported(number: number, status: unknown): readonly Report[] {
    const parsed = parse(Output, status);
    const isOpen = parsed.ok ? parsed.value.output : null;
    return typeof isOpen === "boolean" ? [{ number, isOpen }] : [];
  }

  /** Unix time, or the time since its start, s. */
  #seconds(): number {
    const { hasClock } = this.#habits;
    const { clock } = this.machine;
    return Math.round(hasClock ? clock.now() : clock.monotonic() - this.#bootedAt) / 1_000;
  }

  #status({ valve, timer }: Switch): object {
    return {
      id: valve.number - 1,
      source: "MQTT",
      output: valve.isOpen,
      ...(timer && { timer_started_at: timer.startedAt, timer_duration: timer.seconds }),
    };
  }

  /** Publish, if it is connected. */
  #say(topic: string, body: object): void {
    if (this.#device.isConnected)
      this.#device.publish({ topic, payload: JSON.stringify(body), retain: false });
  }

  #notify(number: number, status: object): void {
    const { address } = this.#habits;
    this.#say(`${address}/events/rpc`, {
      src: address,
      dst: `${address}/events`,
      method: "NotifyStatus",
      params: { ts: this.#seconds(), [`switch:${number - 1}`]: { id: number - 1, ...status } },
    });
  }

  #call(payload: string): void {
    const call = parseJson(Call, payload);
    if (!call.ok) throw new Error(`a command breaks the contract: ${call.path} ${call.message}`);
    const { id, src, method, params } = call.value;
    const answer = (result: object) =>
      this.#say(`${src}/rpc`, { id, src: this.#habits.address, dst: src, result });
    if (method === "Shelly.GetStatus") answer(this.#everyStatus());
    const one = this.#switches.find(({ valve }) => valve.number - 1 === params?.id);
    if (!one || !params) return;
    const before = one.valve.isOpen;
    if (method === "Switch.Set" && params.on !== undefined) {
      this.#obey(one, params.on, params.toggle_after);
    } else if (method === "Switch.SetConfig" && params.config) {
      one.initialState = params.config.initial_state;
      one.isAutoOff = params.config.auto_off;
      one.autoOffSeconds = params.config.auto_off_delay;
    }
    answer(this.#result(method, one, before));
  }

  /** Status of every component; its own time is in whole seconds. */
  #everyStatus(): object {
    const switches = this.#switches.map((one) => [`switch:${one.valve.number - 1}`, this.#status(one)]);
    const unixtime = this.#habits.hasClock ? Math.floor(this.#seconds()) : null;
    return { ...Object.fromEntries(switches), sys: { unixtime } };
  }

  #result(method: string, one: Switch, before: boolean): object {
    switch (method) {
      case "Switch.Set":
        return { was_on: before };
      case "Switch.GetConfig":
        return {
          id: one.valve.number - 1,
          initial_state: one.initialState,
          auto_on: false,
          auto_off: one.isAutoOff,
          auto_off_delay: one.autoOffSeconds,
        };
      default:
        return { restart_required: false };
    }
  }

  #obey(one: Switch, isOn: boolean, toggleAfter: number | undefined): void {
    const { valve } = one;
    const runSeconds = isOn ? (toggleAfter ?? 0) : 0;
    const order: Order = { commandId: null, target: isOn ? 1 : 2, valve, runSeconds };
    this.onObeyed(order);
    this.#turn(one, isOn, toggleAfter, "");
    this.onDone(order);
  }

  /** Begin the timer that flips an output back: that of the command, else `auto_off`. */
  #limit(one: Switch, isOn: boolean, toggleAfter: number | undefined): void {
    one.timer?.ending.cancel();
    one.timer = null;
    const seconds = toggleAfter ?? (isOn && one.isAutoOff ? one.autoOffSeconds : 0);
    if (seconds <= 0 || !this.#process) return;
    const ending = this.#process.timers.after(seconds * 1_000, () => this.#turn(one, !isOn, undefined, null));
    one.timer = { startedAt: this.#seconds(), seconds, ending };
  }

  /** @param by the command that turns it; null for a button or the end of a timer */
  #turn(one: Switch, isOn: boolean, toggleAfter: number | undefined, by: string | null): void {
    const { valve } = one;
    const before = { isOpen: valve.isOpen, timer: one.timer };
    valve.turn(isOn, this.#time.now, by);
    one.wasOn = isOn;
    this.#limit(one, isOn, toggleAfter);
    // Only changes are reported.
    if (before.isOpen === valve.isOpen && before.timer === one.timer) return;
    this.#notify(valve.number, this.#status(one));
    const { address, hasStatus } = this.#habits;
    if (hasStatus) this.#say(`${address}/status/switch:${valve.number - 1}`, this.#status(one));
  }
}

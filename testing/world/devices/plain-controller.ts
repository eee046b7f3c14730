import type { Line } from "../network/line.ts";
import type { Machine, Process } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { PlainKind } from "../plan/plain-plan.ts";
import type { Valve } from "./truth.ts";
import type { Order, Report, ValveController } from "./valve-controller.ts";

/** A command on its way to a controller. */
export interface PlainCommand {
  readonly commandId: string | null;
  readonly number: number;
  readonly isOpen: boolean;
}

/**
 * A controller of a farm API that is not ours, with whatever radio: messages arrive late or not at all, without an
 * answer. It obeys every command of any age, ends no run by itself, and reports what its valves are.
 */
export class PlainController implements ValveController {
  readonly machine: Machine;
  readonly #kind: PlainKind;
  readonly #time: WorldTime;
  readonly #line: Line;
  readonly #valves: readonly Valve[];
  #process: Process | null = null;
  /** Arrival of the last command: they come in their order. */
  #lastAt = 0;
  onObeyed: (order: Order) => void = () => undefined;
  onDone: (order: Order) => void = () => undefined;
  /** Called at the farm API with a report that has arrived. */
  onReport: (reports: readonly Report[]) => void = () => undefined;

  constructor(
    parts: {
      readonly machine: Machine;
      readonly time: WorldTime;
      readonly line: Line;
      readonly valves: readonly Valve[];
    },
    kind: PlainKind,
  ) {
    this.machine = parts.machine;
    this.#time = parts.time;
    this.#line = parts.line;
    this.#valves = parts.valves;
    this.#kind = kind;
  }

  get isConnected(): boolean {
    return this.machine.isOn;
  }

  powerOn(): void {
    const process = this.machine.boot();
    this.#process = process;
    for (const valve of this.#valves) valve.turn(false, this.#time.now, null);
    const report = (): void => {
      this.#report();
      process.timers.after(this.#kind.reportMs, report);
    };
    process.timers.after(1_000, report);
  }

  powerOff(): void {
    this.machine.kill();
    this.#process = null;
  }

  turnByHand(valve: Valve, open: boolean): void {
    if (!valve.turn(open, this.#time.now, null)) return;
    if (this.#kind.reportsMoves) this.machine.perform(() => this.#report());
  }

  reportsIn(): readonly Report[] {
    return [];
  }

  /** A command leaves the farm API. */
  send(command: PlainCommand): void {
    if (this.#line.isCut) return;
    const arrive = (): void => this.machine.perform(() => this.#obey(command));
    this.#lastAt = this.#line.carry("back", arrive, this.#lastAt);
  }

  #obey({ commandId, number, isOpen }: PlainCommand): void {
    const valve = this.#valves.find((one) => one.number === number);
    if (!valve) return;
    const order: Order = { commandId, target: isOpen ? 1 : 2, valve, runSeconds: 0 };
    this.onObeyed(order);
    this.#process?.timers.after(this.#kind.turnMs, () => {
      valve.turn(isOpen, this.#time.now, commandId ?? "");
      this.onDone(order);
      if (this.#kind.reportsMoves) this.#report();
    });
  }

  #report(): void {
    if (this.#line.isCut) return;
    const reports = this.#valves.map(({ number, isOpen }) => ({ number, isOpen }));
    this.#line.carry("there", () => this.#line.far.perform(() => this.onReport(reports)));
  }
}

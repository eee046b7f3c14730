import type { Machine } from "../network/machine.ts";
import type { Valve } from "./truth.ts";

/** A state that a message of a controller says. */
export interface Report {
  /** The valve's number. */
  readonly number: number;
  readonly isOpen: boolean;
}

/** A command that a controller carries out. */
export interface Order {
  /** Null for a controller whose commands have no ids. */
  readonly commandId: string | null;
  readonly target: 1 | 2;
  readonly valve: Valve;
  /** Length of the run of an opening; 0 for a close, and without a limit. */
  readonly runSeconds: number;
}

/** A controller with valves, of whatever make. */
export interface ValveController {
  readonly machine: Machine;
  readonly isConnected: boolean;
  /** Called before an order is carried out. */
  onObeyed: (order: Order) => void;
  /** Called when an order has been carried out. */
  onDone: (order: Order) => void;
  /** Start, with whatever its valves do at power-up. */
  powerOn(): void;
  powerOff(): void;
  /** Turn a valve by its lever or button. */
  turnByHand(valve: Valve, open: boolean): void;
  /** Return what a message of its own says of its valves; none for any other message. */
  reportsIn(topic: string, payload: string): readonly Report[];
}

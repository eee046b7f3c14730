import type { InMessage } from "../devices/broker.ts";
import type { ValveCommand } from "./command-rules.ts";
import type { Mode } from "./modes/engine-settings.ts";

/** The controllers whose valves use a driver. */
export interface Valves {
  drives(deviceId: string): boolean;
  /**
   * Open or close a valve. A close is sent whatever the store does.
   *
   * @throws BrokerDownError; for an open also DatabaseError, and ApiError 409 for a late one
   */
  turn(deviceId: string, command: ValveCommand, commandId: string): Promise<void>;
  /** Reload changed settings. @throws DatabaseError; they are read again all the same */
  reread(deviceId: string): Promise<void>;
  /** Ask a controller for the state of its valve. @throws BrokerDownError */
  ask(deviceId: string, number: number): Promise<void>;
  /** End the run of a mode that is about to be switched off: it is closed also where that cannot be stored. */
  endRun(deviceId: string, number: number, mode: Mode | "any"): Promise<void>;
  /** Close channels that are about to be deleted. */
  silence(deviceId: string, numbers: readonly number[]): Promise<void>;
  /** @returns true for a message of a valve's firmware */
  handle(message: InMessage): Promise<boolean>;
  /** Send the closes that are due, without the store; called at short intervals, whatever else is under way. */
  closeDue(): Promise<void>;
  /** Update the list of controllers and do what else is due; called at short intervals. */
  look(): Promise<void>;
}

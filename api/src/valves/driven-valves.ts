import type { InMessage } from "../devices/broker.ts";
import type { ValveCommand } from "./command-rules.ts";

/** The controllers whose valves use a driver. */
export interface Valves {
  drives(deviceId: string): boolean;
  /** @throws BrokerDownError; ApiError 409 for a late open */
  turn(deviceId: string, command: ValveCommand, commandId: string): Promise<void>;
  /** Reload changed settings. */
  reread(deviceId: string): Promise<void>;
  /** Ask a controller for the state of its valve. @throws BrokerDownError */
  ask(deviceId: string, number: number): Promise<void>;
  /** Close channels that are about to be deleted. */
  silence(deviceId: string, numbers: readonly number[]): Promise<void>;
  /** @returns true for a message of a valve's firmware */
  handle(message: InMessage): Promise<boolean>;
  /** Update the list of controllers and do what is due; called at short intervals. */
  look(): Promise<void>;
}

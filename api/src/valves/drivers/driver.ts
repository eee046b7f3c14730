import { MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import type { OutMessage } from "../../devices/broker.ts";
import type { DriverName } from "../../devices/device-index.ts";

/** Address of one valve. */
export interface Valve {
  readonly serial: number;
  /** Name of the controller on the broker; unused for a native one. */
  readonly address: string;
  /** 1 to 8. */
  readonly number: number;
}

/** An open command, which always has an end. */
export interface Opening {
  readonly seconds: number;
  readonly commandId: string;
  /** Time after which it is void, ms since 1970 UTC. */
  readonly expiresAt: number;
}

/** Settings that a valve can store: closed after power-up, and a limit to every run. */
export type Kept = "closed-at-power-up" | "limit";

/** Content of a valve's message. */
export type ValveNews =
  | { readonly kind: "line"; readonly online: boolean }
  /**
   * `secondsLeft`: time until it closes by itself; undefined where the message does not say, null where it
   * never does.
   */
  | {
      readonly kind: "valve";
      readonly number: number;
      readonly isOpen: boolean;
      readonly secondsLeft?: number | null;
    }
  /** The valve's confirmation of a setting; `number` null: for all its channels. */
  | {
      readonly kind: "kept";
      readonly number: number | null;
      readonly what: Kept;
      readonly isKept: boolean;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** The stored limit applies to every run, even from the valve's own button. Seconds. */
export const LIMIT_SECONDS = MAX_RUN_SECONDS;

/** The protocol of a kind of valve. Pure: it converts messages and keeps no state. */
export interface ValveDriver {
  readonly name: DriverName;
  /** The longest run that an open command can carry, seconds. */
  readonly maxSeconds: number;
  /**
   * Return one message that opens the valve with its end, so that it closes without further communication.
   */
  open(valve: Valve, opening: Opening): OutMessage;
  close(valve: Valve, commandId: string, expiresAt: number): OutMessage;
  /** Return messages that set what a closed valve stores, and request a confirmation. */
  keep(valve: Valve): readonly OutMessage[];
  /** Return messages that restore settings changed by an open command. */
  afterRun(valve: Valve): readonly OutMessage[];
  /** Return messages that query state and settings, without affecting a run. */
  ask(valve: Valve): readonly OutMessage[];
  /** Return the topics on which a controller of this kind publishes, as subscriptions. */
  speaksUnder(controller: Omit<Valve, "number">): readonly string[];
  /** Return the topics to which it subscribes. */
  hearsUnder(controller: Omit<Valve, "number">): readonly string[];
  parse(controller: Omit<Valve, "number">, topic: string, payload: string): readonly ValveNews[];
}

import { MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import type { OutMessage } from "../broker/broker.ts";

/** How a controller's valves may be spoken to. */
export const DRIVER_NAMES = ["native", "shelly-gen2", "tasmota"] as const;
export type DriverName = (typeof DRIVER_NAMES)[number];

/** One valve, as its driver addresses it. */
export interface Valve {
  readonly serial: number;
  /** What the controller is called on the broker; of a native one it has no meaning. */
  readonly address: string;
  /** 1 to 8. */
  readonly number: number;
}

/** An opening. It never comes without an end. */
export interface Opening {
  readonly seconds: number;
  readonly commandId: string;
  /** ms since 1970 UTC from which on it has lost its point. */
  readonly expiresAt: number;
}

/** What a valve can be told to keep by itself: closed after power-up, and a limit to every opening. */
export type Kept = "closed-at-power-up" | "limit";

/** What a message of a valve says. */
export type Heard =
  | { readonly kind: "line"; readonly online: boolean }
  /** `secondsLeft`: until it closes by itself; undefined where the message does not say, null where it never does. */
  | {
      readonly kind: "valve";
      readonly number: number;
      readonly isOpen: boolean;
      readonly secondsLeft?: number | null;
    }
  /** The valve's own word on what it keeps; `number` null: on all of its channels. */
  | {
      readonly kind: "kept";
      readonly number: number | null;
      readonly what: Kept;
      readonly isKept: boolean;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** What is kept is kept for all openings, whoever asks for them: at the valve's own button too. Seconds. */
export const LIMIT_SECONDS = MAX_RUN_SECONDS;

/** The language of a kind of valve. Pure: messages in and out, nothing remembered. */
export interface ValveDriver {
  readonly name: DriverName;
  /** The longest end that an opening can carry, seconds. */
  readonly maxSeconds: number;
  /** An opening in one message, with its end in it, so that the valve closes if nobody speaks to it again. */
  open(valve: Valve, opening: Opening): OutMessage;
  close(valve: Valve, commandId: string, expiresAt: number): OutMessage;
  /** Sets what a closed valve keeps by itself, and has it say what it keeps from then on. */
  keep(valve: Valve): readonly OutMessage[];
  /** Puts back what an opening had to change of what is kept. */
  afterRun(valve: Valve): readonly OutMessage[];
  /** Has the valve say its state, and what it keeps; without touching a run. */
  ask(valve: Valve): readonly OutMessage[];
  /** The topics under which a controller of this kind speaks, as subscriptions. */
  speaksUnder(controller: Omit<Valve, "number">): readonly string[];
  /** The topics under which it is spoken to, as subscriptions. */
  hearsUnder(controller: Omit<Valve, "number">): readonly string[];
  /** @param now ms since 1970 UTC */
  hear(controller: Omit<Valve, "number">, topic: string, payload: string, now: number): readonly Heard[];
}

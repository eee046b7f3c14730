import type { Valve } from "../devices/truth.ts";
import type { Line } from "../network/line.ts";
import { Trouble } from "../network/trouble.ts";
import type { PersonName } from "../plan/plan.ts";
import type { Phone } from "./phone.ts";
import type { Press } from "./press.ts";

/** A person with a phone, and what the world remembers of her: what she read, and what she was promised. */
export class Person {
  readonly name: PersonName;
  readonly phone: Phone;
  readonly line: Line;
  /** The words of the screen about each valve. */
  readonly read = new Map<Valve, string>();
  /** The valves about which the screen lied at the last look. */
  readonly lied = new Set<Valve>();
  /** Her presses by their commands. */
  readonly presses = new Map<string, Press>();
  /** Openings that the page shows as refused. */
  readonly refused = new Set<string>();
  /** The way from the API to the phone, whether it sleeps or not. */
  readonly toPhone = new Trouble();
  /** The same way to a person who reads. */
  readonly toScreen = new Trouble();
  /** The whole way from the person to the valves. */
  readonly toValve = new Trouble();
  /** When she last woke the phone. */
  wokeAt: number;
  /** Since when she is logged out on this phone alone, ms UTC; null while she is not. */
  outSince: number | null = null;
  /** True while she has no session at a plain farm API. */
  isOut = false;
  /** Since when something is not well on the screen although nothing is wrong. */
  restlessSince: number | null = null;

  constructor(name: PersonName, phone: Phone, line: Line, start: number) {
    this.name = name;
    this.phone = phone;
    this.line = line;
    this.wokeAt = start;
  }
}

import type { AutomaticPlan } from "../plan/automatic-plan.ts";
import { cut, lengthOf, MINUTE, openSpans } from "./pipe.ts";
import type { Valve } from "./truth.ts";

const DRIEST = 2;
const WETTEST = 60;

/** The soil of a bed: wetter while its valve is open, drier else. */
export class Soil {
  readonly valve: Valve;
  readonly #plan: AutomaticPlan;
  #at: number;
  #moisture: number;

  /** @param start ms UTC */
  constructor(plan: AutomaticPlan, valve: Valve, start: number) {
    this.valve = valve;
    this.#plan = plan;
    this.#at = start;
    this.#moisture = plan.moisture;
  }

  /** Return its moisture now, %, to a tenth. @param now true time, never earlier than before, ms UTC */
  moistureAt(now: number): number {
    const span = { from: this.#at, to: now };
    const openMs = lengthOf(openSpans(this.valve).flatMap((one) => cut(one, span)));
    const { rise, fall } = this.#plan;
    const changed = this.#moisture + (rise * openMs - fall * (now - this.#at - openMs)) / MINUTE;
    this.#moisture = Math.min(WETTEST, Math.max(DRIEST, changed));
    this.#at = now;
    return Math.round(this.#moisture * 10) / 10;
  }
}

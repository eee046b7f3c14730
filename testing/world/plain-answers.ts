import { Trouble } from "./invariants.ts";
import type { PlainFarmApi } from "./plain-farm-api.ts";
import type { Scene } from "./scene.ts";
import type { Valve } from "./truth.ts";

/**
 * What a plain farm API has answered of the valves, and the relay's way to them: all that a relay can know and do
 * there.
 */
export class PlainAnswers {
  readonly #scene: Scene;
  readonly #api: PlainFarmApi;
  /** The way from the relay to the valves. */
  readonly #way = new Trouble();
  /** When the API last answered that a valve is closed, ms UTC. */
  readonly #closedAt = new Map<Valve, number>();

  constructor(scene: Scene, api: PlainFarmApi) {
    this.#scene = scene;
    this.#api = api;
  }

  look(): void {
    const { isDeviceWell, isServed, lines, outSince, time, valves } = this.#scene;
    this.#way.note(isServed && isDeviceWell && lines["relay-api"].isWell && outSince === null, time.now);
    for (const valve of valves) if (!this.#api.answersOpen(valve)) this.#closedAt.set(valve, time.now);
  }

  /** Since when the API has answered that a valve is open, ms UTC; null while it answers that it is closed. */
  openSince(valve: Valve): number | null {
    return this.#api.answersOpen(valve) ? (this.#closedAt.get(valve) ?? 0) : null;
  }

  /** Since when the way from the relay to the valves has been well; null while it is not. */
  get wellSince(): number | null {
    return this.#way.wellSince;
  }
}

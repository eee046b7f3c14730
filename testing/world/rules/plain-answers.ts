import type { Valve } from "../devices/truth.ts";
import { Trouble } from "../network/trouble.ts";
import type { Scene } from "../scene/scene.ts";
import type { PlainFarmApi } from "../servers/plain-farm-api.ts";

/** Time in which two reads can prove a state (CMD-1), ms. */
const PROOF_MS = 5_000;
/** Longest time between two looks at an answer that has not changed, ms. */
const LOOKS_MS = 600;

/**
 * Record the answers of a plain farm API about the valves, and the relay's way to them: all that a relay can know and
 * do there.
 */
export class PlainAnswers {
  readonly #scene: Scene;
  readonly #api: PlainFarmApi;
  /** The way from the relay to the valves. */
  readonly #way = new Trouble();
  /** When the API last answered that a valve is closed, and since when it did, ms UTC. */
  readonly #closed = new Map<Valve, { readonly since: number; at: number }>();

  constructor(scene: Scene, api: PlainFarmApi) {
    this.#scene = scene;
    this.#api = api;
  }

  look(): void {
    const { hasSession, isDeviceWell, isUpstreamWell, time, valves } = this.#scene;
    this.#way.note(isUpstreamWell && isDeviceWell && hasSession, time.now);
    for (const valve of valves) {
      if (this.#api.answersOpen(valve)) continue;
      const before = this.#closed.get(valve);
      const isSame = before !== undefined && time.now - before.at <= LOOKS_MS;
      this.#closed.set(valve, { since: isSame ? before.since : time.now, at: time.now });
    }
  }

  /** Since when the API has answered that a valve is open, ms UTC; null while it answers that it is closed. */
  openSince(valve: Valve): number | null {
    return this.#api.answersOpen(valve) ? (this.#closed.get(valve)?.at ?? 0) : null;
  }

  /**
   * Return true if the API has answered "closed" for so long since an instant that two reads could prove it (CMD-1), and
   * the relay had no reason to doubt it: the API answers what it was commanded, or no opening is awaited (CMD-14).
   */
  provedClosed(valve: Valve, since: number): boolean {
    const { since: from = 0, at = 0 } = this.#closed.get(valve) ?? {};
    const isBelieved = this.#scene.plan.plain?.isHasty === true || valve.last?.commandId === null;
    return isBelieved && at - Math.max(from, since) >= PROOF_MS;
  }

  /** Since when the way from the relay to the valves has been well; null while it is not. */
  get wellSince(): number | null {
    return this.#way.wellSince;
  }
}

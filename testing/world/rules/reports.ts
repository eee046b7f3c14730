import { CONTROLLER } from "../devices/furnish.ts";
import type { Valve } from "../devices/truth.ts";
import type { MqttMessage } from "../network/broker.ts";
import { KEEP_ALIVE_MS, type Scene } from "../scene/scene.ts";
import type { PlainFarmApi } from "../servers/plain-farm-api.ts";

/** Time until a broker has noticed that a device is gone. */
const NOTICED_MS = KEEP_ALIVE_MS * 1.5;

/** The reports of the valves that have reached the farm API, and the states that it could believe. */
export class Reports {
  readonly #scene: Scene;
  /** Arrival of the last report of each valve at the API, whatever it said. */
  readonly #spokeAt = new Map<Valve, number>();
  /** When the broker last noticed that the controller is gone, or ended itself with its API. */
  #lostAt = Number.NEGATIVE_INFINITY;
  /** Arrival of the first report of each valve's present state at the API. */
  readonly #reportedAt = new Map<Valve, number>();
  #heardAt: number;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#heardAt = scene.start;
    const { broker, time } = scene;
    broker.onTaken((message) => this.#taken(message));
    broker.onPacket = (serial) => {
      if (serial === CONTROLLER.serial) this.#heardAt = time.now;
    };
    broker.onLost = (serial) => {
      if (serial === CONTROLLER.serial) this.apiLost();
    };
  }

  /** The farm API has lost the controller, or ended itself. */
  apiLost(): void {
    this.#lostAt = this.#scene.time.now;
  }

  /** Return when the first report of a valve's present state reached the API, ms UTC; null: none has. */
  reportedAt(valve: Valve): number | null {
    return this.#reportedAt.get(valve) ?? null;
  }

  /** Note what a plain farm API answers: the first answer of a valve's present state is its report. */
  #lookAtAnswers(plain: PlainFarmApi): void {
    for (const valve of this.#scene.valves) {
      const turned = valve.last?.at ?? 0;
      if (plain.answersOpen(valve) !== valve.isOpen) this.#reportedAt.delete(valve);
      else if ((this.#reportedAt.get(valve) ?? -1) < turned)
        this.#reportedAt.set(valve, this.#scene.time.now);
    }
  }

  /** Last instant at which a state of before could be believed, without a report of the present one. */
  believedUntil(valve: Valve): number {
    // No relay can know what a plain farm API does not answer.
    if (this.#scene.plain) return Number.POSITIVE_INFINITY;
    const hasSpokenSince = (this.#spokeAt.get(valve) ?? this.#scene.start) > this.#lostAt;
    return hasSpokenSince ? this.#heardAt + NOTICED_MS : this.#lostAt;
  }

  /** Forget the reports of before the last turn of each valve. */
  look(): void {
    if (this.#scene.plain) {
      this.#lookAtAnswers(this.#scene.plain);
      return;
    }
    for (const valve of this.#scene.valves) {
      const turned = valve.last?.at ?? 0;
      if ((this.#reportedAt.get(valve) ?? Number.POSITIVE_INFINITY) < turned) this.#reportedAt.delete(valve);
    }
  }

  #taken({ topic, payload, madeAt }: MqttMessage): void {
    for (const { number, isOpen } of this.#scene.controller.reportsIn(topic, payload)) {
      const valve = this.#scene.valve(number);
      this.#spokeAt.set(valve, this.#scene.time.now);
      // One of before the last turn may say the same, and another one may come after it.
      const isOfNow = isOpen === valve.isOpen && madeAt >= (valve.last?.at ?? 0);
      if (isOfNow && !this.#reportedAt.has(valve)) this.#reportedAt.set(valve, this.#scene.time.now);
    }
  }
}

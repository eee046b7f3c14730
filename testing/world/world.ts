import type { InProcessPglite } from "../../api/testing/in-process-pglite.ts";
import { furnish, SENSOR, START } from "./furnish.ts";
import { Happenings } from "./happenings.ts";
import { unkeptOf, type Violation } from "./invariants.ts";
import { Orders } from "./orders.ts";
import type { Plan } from "./plan.ts";
import { Reports } from "./reports.ts";
import { Scene, SETTLE_MS } from "./scene.ts";
import { Screens } from "./screens.ts";

const LOOK_MS = 500;

/** Result of a world. */
export interface Outcome {
  readonly violation: Violation | null;
  readonly story: readonly string[];
  /** Log lines of API and relay. */
  readonly log: readonly string[];
}

/** One world: built from a plan, run once. */
export class World {
  readonly #scene: Scene;
  readonly #reports: Reports;
  readonly #orders: Orders;
  readonly #screens: Screens;
  readonly #happenings: Happenings;

  constructor(plan: Plan, database: InProcessPglite) {
    this.#scene = new Scene(plan, database);
    this.#reports = new Reports(this.#scene);
    this.#orders = new Orders(this.#scene, this.#reports);
    this.#screens = new Screens(this.#scene, this.#orders, this.#reports);
    this.#happenings = new Happenings(this.#scene, this.#orders, this.#reports);
  }

  /** Run it to its end, or until a rule is broken. */
  async run(): Promise<Outcome> {
    const scene = this.#scene;
    const { plan, people, time, story, log } = scene;
    try {
      if (scene.bundled) {
        const app = await scene.bundled.start();
        await furnish(app, scene.valves, plan);
        await scene.relay.start();
        for (const one of people) await this.#happenings.signIn(one, app);
      } else {
        await scene.api.start();
        await scene.relay.start();
      }
      scene.controller.powerOn();
      scene.sensor?.powerOn();
      for (const one of people) {
        if (scene.plain) this.#happenings.logIn(one);
        else one.phone.open();
      }
      await time.run(START + SETTLE_MS);
      for (const happening of plan.happenings) {
        time.at(START + SETTLE_MS + happening.at, () => this.#happenings.happen(happening));
      }
      const look = (): void => {
        this.#look();
        time.after(LOOK_MS, look);
      };
      look();
      const end = START + SETTLE_MS + plan.lengthMs;
      while (time.now < end && scene.violation === null) {
        await time.run(Math.min(end, time.now + LOOK_MS));
      }
      if (scene.violation === null) await this.#lookAtHistory();
      return { violation: scene.violation, story: story.lines, log };
    } finally {
      await scene.end();
    }
  }

  #look(): void {
    this.#orders.look();
    this.#screens.noteWays();
    this.#reports.look();
    for (const valve of this.#scene.valves) {
      this.#screens.lookAt(valve);
      this.#orders.lookAtClose(valve);
      this.#orders.lookAtEnd(valve);
    }
    this.#screens.look();
  }

  /** W-5: every acknowledged reading is in the history, once and at its time. */
  async #lookAtHistory(): Promise<void> {
    const sensor = this.#scene.sensor;
    if (!sensor) return;
    const { database } = this.#scene.database.connect();
    const rows = await database.query<{ at: number; value: number }>(
      'select at, "soilTemperature" as value from reading where sensor_id = $1',
      [SENSOR.id],
    );
    const wrong = unkeptOf(sensor.measured, rows);
    if (wrong) this.#scene.break("W-5", wrong);
  }
}

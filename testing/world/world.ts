import { seededRandom } from "@mulkko/shared/testing/random";
import type { InProcessPglite } from "../../api/testing/in-process-pglite.ts";
import { ACCOUNT, furnish, SENSOR } from "./devices/furnish.ts";
import { Happenings } from "./happenings.ts";
import type { Plan } from "./plan/plan.ts";
import { Access, signIn } from "./rules/access.ts";
import { AdminCloses } from "./rules/admin-closes.ts";
import { Automatic } from "./rules/automatic.ts";
import { Charges } from "./rules/charges.ts";
import { Creations } from "./rules/creations.ts";
import { Flips } from "./rules/flips.ts";
import { FurtherScreens } from "./rules/further-screens.ts";
import { Links } from "./rules/links.ts";
import { LogOuts } from "./rules/log-outs.ts";
import { mistakeIn } from "./rules/mistakes.ts";
import { Office } from "./rules/office.ts";
import { Orders } from "./rules/orders.ts";
import { Previews } from "./rules/previews.ts";
import { unkeptOf } from "./rules/readings.ts";
import { Reports } from "./rules/reports.ts";
import { Runs } from "./rules/runs.ts";
import { Saves } from "./rules/saves.ts";
import { Screens } from "./rules/screens.ts";
import { Waterings } from "./rules/waterings.ts";
import { CHOI, PARK } from "./scene/further.ts";
import { Scene, SETTLE_MS } from "./scene/scene.ts";
import type { Violation } from "./scene/violation.ts";

const LOOK_MS = 500;
/** Time after the last happening in which relays may not answer. */
const CALM_MS = 120_000;

/** Called often with the time since the start of a world, ms, and what drops all lines of its reports but the last. */
export type Watch = (sinceMs: number, forgetReports: () => void) => void;

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
  readonly #runs: Runs;
  readonly #screens: Screens;
  readonly #flips: Flips;
  readonly #furtherScreens: FurtherScreens;
  readonly #access: Access;
  readonly #happenings: Happenings;
  readonly #waterings: Waterings;
  readonly #previews: Previews;
  readonly #automatic: Automatic;
  readonly #saves: Saves;
  readonly #charges: Charges;
  readonly #creations: Creations;
  readonly #links: Links;
  readonly #adminCloses: AdminCloses;
  readonly #logOuts: LogOuts;
  #linesRead = 0;

  constructor(plan: Plan, database: InProcessPglite) {
    this.#scene = new Scene(plan, database);
    this.#reports = new Reports(this.#scene);
    this.#runs = new Runs(this.#scene);
    this.#automatic = new Automatic(this.#scene);
    this.#orders = new Orders(this.#scene, this.#reports, this.#runs, this.#automatic);
    this.#flips = new Flips(this.#scene);
    this.#screens = new Screens(this.#scene, this.#orders, this.#reports, this.#flips);
    this.#waterings = new Waterings(this.#scene);
    this.#previews = new Previews(this.#scene);
    this.#furtherScreens = new FurtherScreens(this.#scene, this.#orders, this.#reports, this.#flips);
    this.#access = new Access(this.#scene, new Office(this.#scene, seededRandom(plan.seed * 41)));
    this.#saves = new Saves(this.#scene);
    this.#charges = new Charges(this.#scene, this.#saves);
    this.#creations = new Creations(this.#scene);
    this.#links = new Links(this.#scene);
    this.#adminCloses = new AdminCloses(this.#scene, this.#orders, this.#runs);
    this.#logOuts = new LogOuts(this.#scene, this.#orders, this.#runs);
    this.#happenings = new Happenings(
      this.#scene,
      this.#orders,
      this.#reports,
      this.#access,
      this.#runs,
      this.#saves,
      this.#charges,
      this.#creations,
      this.#links,
      this.#adminCloses,
      this.#logOuts,
    );
  }

  /** Run it to its end, or until a rule is broken. */
  async run(watch: Watch = () => undefined): Promise<Outcome> {
    const scene = this.#scene;
    const { plan, people, time, story, log } = scene;
    try {
      if (scene.bundled) {
        const app = await scene.bundled.start();
        await furnish(app, scene.valves, plan);
        await scene.further.furnish(app);
        await scene.startRelays();
        const signedIn = [...people.map(({ phone }) => ({ phone, account: ACCOUNT })), ...this.#others()];
        for (const { phone, account } of signedIn)
          await signIn(phone, account, app, scene.api.machine.clock.now());
      } else {
        await scene.api.start();
        await scene.startRelays();
      }
      scene.controller.powerOn();
      scene.sensor?.powerOn();
      scene.meter?.powerOn();
      for (const one of people) {
        if (scene.plain) this.#happenings.logIn(one);
        else one.phone.open();
      }
      this.#openFurther();
      const begin = scene.start + SETTLE_MS;
      await time.run(begin);
      await this.#waterings.link();
      for (const happening of plan.happenings) {
        time.at(begin + happening.at, () => this.#happenings.happen(happening));
      }
      const look = (): void => {
        this.#look();
        watch(time.now - scene.start - SETTLE_MS, () => scene.forgetReports());
        time.after(LOOK_MS, look);
      };
      look();
      const end = begin + plan.lengthMs;
      while (time.now < end && scene.violation === null) {
        await time.run(Math.min(end, time.now + LOOK_MS));
      }
      // A shrunk world may end in the middle of its troubles.
      if (this.#isCalm) {
        if (scene.violation === null) await this.#lookAtHistory();
        if (scene.violation === null) await this.#flips.lookAtStored();
        if (scene.violation === null) await this.#waterings.look();
      }
      return { violation: scene.violation, story: story.lines, log };
    } finally {
      await scene.end();
    }
  }

  get #isCalm(): boolean {
    const { bundled, happenedAt, time, isUpstreamWell } = this.#scene;
    return isUpstreamWell && bundled?.isStoreWell !== false && time.now - happenedAt > CALM_MS;
  }

  #others() {
    const { park, choi } = this.#scene.further;
    return [
      ...(park ? [{ phone: park.screen.phone, account: PARK }] : []),
      ...(choi ? [{ phone: choi.screen, account: CHOI }] : []),
    ];
  }

  #openFurther(): void {
    const { wall, park, choi, sensor } = this.#scene.further;
    sensor?.powerOn();
    park?.screen.open();
    choi?.screen.open();
    if (!wall) return;
    wall.screen.powerOn();
    wall.outSince = this.#scene.start;
    this.#access.pairWall();
  }

  /** W-15: no part fails by a mistake of its own. */
  #lookAtLog(): void {
    const { log } = this.#scene;
    for (; this.#linesRead < log.length; this.#linesRead += 1) {
      const mistake = mistakeIn(log[this.#linesRead] ?? "");
      if (mistake !== null) this.#scene.break("W-15", `the log names a ${mistake}`);
    }
  }

  #look(): void {
    this.#lookAtLog();
    this.#scene.relays.look();
    this.#runs.look();
    this.#automatic.look();
    this.#orders.look();
    this.#screens.noteWays();
    this.#reports.look();
    for (const valve of this.#scene.valves) {
      this.#screens.lookAt(valve);
      this.#orders.lookAtClose(valve);
      this.#orders.lookAtEnd(valve);
    }
    this.#screens.look();
    this.#flips.look();
    this.#previews.look();
    this.#furtherScreens.look();
    this.#saves.look();
    this.#charges.look();
    this.#creations.look();
    this.#links.look();
    this.#adminCloses.look();
    this.#logOuts.look();
  }

  /** W-5: every acknowledged reading is in the history, once and at its time. */
  async #lookAtHistory(): Promise<void> {
    const sensor = this.#scene.sensor;
    if (!sensor) return;
    const { database } = this.#scene.database.connect();
    const rows = await database.query<{ at: number; value: number; isMarked: boolean }>(
      `select at, "soilTemperature" as value, clock_wrong_since is not null as "isMarked"
       from reading where sensor_id = $1`,
      [SENSOR.id],
    );
    const wrong = unkeptOf(sensor.measured, rows, this.#scene.apiOffsets);
    if (wrong) this.#scene.break("W-5", wrong);
  }
}

import { InProcessPglite } from "../../api/testing/in-process-pglite.ts";
import { drawPlan } from "./plan/draw-plan.ts";
import type { Plan } from "./plan/plan.ts";
import type { Invariant } from "./scene/violation.ts";
import { untilDone, waitForSignatures } from "./settled.ts";
import { shrink } from "./shrink.ts";
import { type Outcome, type Watch, World } from "./world.ts";

/** Time for which a shorter world may break its rule later than the longer one, ms. */
const AFTERWARDS_MS = 20_000;

/** A place in which worlds run, one after another, on one database. */
export class Hunt {
  readonly #database: InProcessPglite;

  private constructor(database: InProcessPglite) {
    this.#database = database;
  }

  static async begin(): Promise<Hunt> {
    waitForSignatures();
    return new Hunt(await InProcessPglite.create(untilDone));
  }

  /** Run one world. */
  async run(plan: Plan, watch?: Watch): Promise<Outcome> {
    await this.#database.clear();
    return await new World(plan, this.#database).run(watch);
  }

  /** Run the world of a seed. */
  seed(seed: number, minutes?: number): Promise<Outcome> {
    return this.run(drawPlan(seed, minutes));
  }

  /** Return the shortest plan that breaks the same rule as a longer one. @param afterMs when that was, since the start */
  shrink(whole: Plan, broken: Invariant, afterMs: number): Promise<Plan> {
    // What comes after it has no part in it.
    const lengthMs = Math.min(whole.lengthMs, afterMs + AFTERWARDS_MS);
    const plan = { ...whole, lengthMs, happenings: whole.happenings.filter(({ at }) => at <= afterMs) };
    return shrink(plan, async (shorter) => (await this.run(shorter)).violation?.invariant === broken);
  }

  end(): Promise<void> {
    return this.#database.close();
  }
}

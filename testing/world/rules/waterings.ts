import { AccountSettings } from "@mulkko/shared/rest/settings";
import {
  Waterings as Listed,
  type ListedWatering,
  MAX_WATERINGS,
  type WateringSum,
} from "@mulkko/shared/rest/waterings";
import { parseJson } from "@mulkko/shared/schema/parse";
import { beginSession } from "../../../api/src/accounts/sessions.ts";
import { ACCOUNT, METER } from "../devices/furnish.ts";
import { dateAt } from "../plan/zones.ts";
import type { Scene } from "../scene/scene.ts";
import { wrongLitres } from "./water.ts";

/** World time that a call to the relay may take, and one step of it, ms. */
const PATIENCE_MS = 30_000;
const STEP_MS = 100;
/** Factor from the flow of a valve to the largest one that its owner sets. */
const LARGEST = 1.2;

/** The owner's link from valves to their meter, and what the relay records of their water: W-7. */
export class Waterings {
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Link the meter to its valves, as their owner does. */
  async link(): Promise<void> {
    const { meter, pipes } = this.#scene;
    if (!meter) return;
    for (const { valve, flow } of pipes) {
      const channelId = await this.#channelId(valve.number);
      const body = {
        flowSensorId: METER.id,
        ...(meter.kind.isFlowSet && { largestFlow: Math.ceil(flow * LARGEST) }),
      };
      const answer = parseJson(AccountSettings, await this.#ask("PUT", `/relay/channels/${channelId}`, body));
      if (!answer.ok) throw new Error(`the meter could not be linked: ${answer.path} ${answer.message}`);
    }
  }

  /** W-7: the litres of every watering are what flowed, or not measured. */
  async look(): Promise<void> {
    const { meter, pipes, api, time } = this.#scene;
    if (!meter) return;
    const { waterings, sums } = await this.#list();
    this.#tell(waterings);
    this.#lookAtDays(waterings, sums);
    const sum = sums.reduce((all, { litres }) => all + (litres ?? 0), 0);
    const whole = waterings.reduce((all, { litres }) => all + (litres ?? 0), 0);
    const wrong =
      Math.abs(sum - whole) > 0.01
        ? `the sums of the days are ${sum} L, and those of the waterings ${whole} L`
        : wrongLitres(waterings, meter, pipes, api.machine, time.now);
    if (wrong) this.#scene.break("W-7", wrong);
  }

  /** Return all waterings of the relay, and their sums. */
  async #list(): Promise<Pick<Listed, "waterings" | "sums">> {
    const waterings: ListedWatering[] = [];
    for (let cursor = ""; ; ) {
      const text = await this.#ask("GET", `/relay/waterings?limit=${MAX_WATERINGS}${cursor}`);
      const page = parseJson(Listed, text);
      if (!page.ok)
        throw new Error(`the waterings cannot be read: ${text.slice(0, 200)} ${page.path} ${page.message}`);
      waterings.push(...page.value.waterings);
      const { next, sums } = page.value;
      if (next === null) return { waterings, sums };
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
  }

  /** W-7: each watering counts for the day on which it began, by the calendar of the account's zone. */
  #lookAtDays(waterings: readonly ListedWatering[], sums: readonly WateringSum[]): void {
    const { zone } = this.#scene.plan;
    if (zone === undefined) return;
    const begun = new Map<string, number>();
    for (const { start } of waterings) {
      const date = dateAt(zone, Date.parse(start));
      begun.set(date, (begun.get(date) ?? 0) + 1);
    }
    for (const date of new Set([...begun.keys(), ...sums.map((one) => one.date)])) {
      const counted = sums.filter((one) => one.date === date).reduce((all, { count }) => all + count, 0);
      const wanted = begun.get(date) ?? 0;
      if (counted !== wanted)
        this.#scene.break("W-7", `${wanted} waterings began on ${date}, and its sum has ${counted}`);
    }
  }

  #tell(waterings: readonly ListedWatering[]): void {
    for (const { number, start, end, litres, litresShared } of waterings.toReversed()) {
      const water = litres === null ? "not measured" : `${litres} L${litresShared ? ", shared" : ""}`;
      const span = `${start.slice(14, 19)} to ${end?.slice(14, 19) ?? "now"}`;
      this.#scene.story.tell(`the relay has a watering of bed ${number} from ${span}: ${water}`);
    }
  }

  async #channelId(number: number): Promise<string> {
    const { database } = this.#scene.database.connect();
    const [row] = await database.query<{ id: number }>("select id from channel where number = $1", [number]);
    if (!row) throw new Error(`no channel ${number}`);
    return `${row.id}`;
  }

  /** Ask the relay with a session of its own; the world goes on until the answer. */
  async #ask(method: "GET" | "PUT", url: string, body?: object): Promise<string> {
    const { bundled: api, relays, time } = this.#scene;
    const there = relays.next().app?.server ?? null;
    if (!api?.app || !there) throw new Error("the farm API and the relay run at the begin and the end");
    const { database, tokens } = api.app;
    const now = api.machine.clock.now();
    const { accessToken } = await beginSession(database, tokens, `${ACCOUNT.id}`, "owner", now);
    let text: string | null = null;
    there
      .inject({
        method,
        url,
        headers: { authorization: `Bearer ${accessToken}` },
        ...(body && { payload: body }),
      })
      .then(
        (response) => {
          text = response.body;
        },
        () => {
          text = "";
        },
      );
    const end = time.now + PATIENCE_MS;
    while (text === null && time.now < end) await time.run(time.now + STEP_MS);
    return text ?? "";
  }
}

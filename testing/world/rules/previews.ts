import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { nextOfChannels } from "../../../web/src/domain/watering/next-watering.ts";
import { CONTROLLER } from "../devices/furnish.ts";
import type { Valve } from "../devices/truth.ts";
import type { Person } from "../people/person.ts";
import type { Scene } from "../scene/scene.ts";

const MINUTE = 60_000;
/** Interval at which a page asks for the preview, ms. */
const ASK_MS = MINUTE;
/** WAT-3: length of the preview, ms. */
const PREVIEW_MS = 24 * 60 * MINUTE;
/** By how much a relay's clock may be off in a world in which nothing sets it, ms. */
const CLOCK_MS = 1_000;
/** By how much a period's start may be off, ms: the relay's clock, and the drift of the farm API's over hours. */
const COUNTED_MS = 2 * CLOCK_MS;
/** Delay with which a start may come, and a look, ms. */
const LATE_MS = 62_000;

const inWords = (ms: number | null): string => (ms === null ? "nothing" : new Date(ms).toISOString());

/**
 * Announcements of the next start of a mode (MODE-2), held against the plan: W-8. Only in worlds whose account has a zone of its
 * own.
 */
export class Previews {
  readonly #scene: Scene;
  #askedAt: number;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#askedAt = scene.start;
  }

  look(): void {
    const { plan, people, time } = this.#scene;
    if (plan.zone === undefined) return;
    if (time.now - this.#askedAt < ASK_MS) return;
    this.#askedAt = time.now;
    for (const person of people) this.#ask(person, plan.zone);
  }

  /** True if the relays count by true time, and the farm API does. */
  get #areClocksRight(): boolean {
    const { apiClockMs, relays, time } = this.#scene;
    return (
      apiClockMs === 0 &&
      relays.all.every(({ machine }) => Math.abs(machine.clock.now() - time.now) < CLOCK_MS)
    );
  }

  #ask(person: Person, zone: string): void {
    const { time, log } = this.#scene;
    if (!person.phone.isLive || !this.#areClocksRight) return;
    const askedAt = time.now;
    person.phone.preview().then(
      (preview) => {
        if (this.#areClocksRight) this.#lookAt(person, preview, askedAt, zone);
      },
      (error: unknown) => log.push(`preview of ${person.name}: ${String(error)}`),
    );
  }

  /** W-8: what a page announces is what is planned. */
  #lookAt({ name, phone }: Person, preview: WateringPreview, askedAt: number, zone: string): void {
    const { schedule, time, valves } = this.#scene;
    if (preview.timezone !== zone) {
      this.#scene.break("W-8", `${name}'s screen plans in the zone ${preview.timezone}, and not in ${zone}`);
      return;
    }
    const next = nextOfChannels(preview);
    // The relay answers by whole minutes.
    const from = Math.floor((askedAt - CLOCK_MS) / MINUTE) * MINUTE;
    for (const valve of valves) {
      const shown = phone.shows(CONTROLLER.serial, valve.number);
      if (shown?.value.quality !== "fresh" || preview.unread.includes(shown.channelId)) continue;
      const coming = next.get(shown.channelId);
      const said = coming?.kind === "at" ? coming.start : null;
      const first = schedule.nextOf(valve, from);
      const last = schedule.nextOf(valve, time.now);
      // A day may have 25 hours.
      const isFar = said === null && (last ?? 0) >= askedAt - MINUTE + PREVIEW_MS;
      const isRight = said === first || said === last || isFar;
      const wrong = first !== null ? !isRight : said !== null && this.#isWrongPeriod(valve, said, askedAt);
      if (!wrong) continue;
      const planned = first !== null ? inWords(first) : "by its period another";
      this.#scene.break(
        "W-8",
        `${name}'s screen announces ${inWords(said)} as the next start of ${valve.name}; planned is ${planned}`,
      );
    }
  }

  /**
   * True if a period's announced start is none that it has planned: not the next one, nor the last one, which may be late by
   * a minute and is announced for now then. The answer speaks of a moment between the question and its arrival.
   */
  #isWrongPeriod(valve: Valve, said: number, askedAt: number): boolean {
    const starts = this.#scene.schedule.periodOf(valve);
    const isPlannedFrom = (from: number): boolean => {
      const next = starts.find(({ at }) => at > from);
      return next === undefined || Math.abs(said - next.at) <= COUNTED_MS;
    };
    const isLate = starts.some(({ at }) => at <= said && said <= at + LATE_MS && askedAt <= at + LATE_MS);
    return !isLate && !isPlannedFrom(askedAt) && !isPlannedFrom(this.#scene.time.now);
  }
}

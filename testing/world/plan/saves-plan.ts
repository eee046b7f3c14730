import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick } from "./draw.ts";

/** Things whose forms people save. */
export const SAVED_THINGS = ["farm", "sensor", "run-limit", "mode"] as const;
/** Settings of a valve in the relay, which two people change side by side. */
const VALVE_SETTINGS = ["valve-name", "valve-run"] as const;
export type SavedThing = (typeof SAVED_THINGS)[number] | (typeof VALVE_SETTINGS)[number];

/** A person saves a form; its value differs from every other one of the world. */
export const SaveHappening = Type.Object({
  kind: Type.Literal("save"),
  who: Type.Optional(Type.Enum(["kim", "lee"])),
  thing: Type.Enum([...SAVED_THINGS, ...VALVE_SETTINGS]),
  /** Valve of a mode, or of a setting. */
  valve: Type.Integer({ minimum: 1 }),
});

/** Own stream of random numbers, so that what other parts of a plan draw stays as it is. */
const STREAM = 55_000_001;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Other {
  readonly at: number;
  readonly ms?: number | undefined;
}

const PERSON_LINES = { kim: "phone-relay", lee: "lee-relay" } as const;

/**
 * Draw what people save: near what happens otherwise, as two at the same time, twice in a row, and with a trouble of a line
 * on the way within the second.
 *
 * @param end after which nothing happens, ms since the start
 */
export function drawSaves(
  seed: number,
  others: readonly Other[],
  people: readonly ("kim" | "lee")[],
  things: readonly SavedThing[],
  end: number,
) {
  const random = seededRandom(seed + STREAM);
  const happenings = [];
  const bursts = pick(random, [0, 4, 8, 12]);
  for (let one = 0; one < bursts; one += 1) {
    const other = random() < 0.6 && others.length > 0 ? pick(random, others) : null;
    // Much is decided where a trouble begins, and where it ends.
    const near = other && other.at + (random() < 0.5 ? (other.ms ?? 0) : 0);
    let at = Math.max(
      SECOND,
      (near ?? between(random, SECOND, end)) + between(random, -4 * SECOND, 4 * SECOND),
    );
    const who = pick(random, people);
    const save = { kind: "save", thing: pick(random, things), valve: between(random, 1, 2) } as const;
    happenings.push({ at, who, ...save });
    if (random() < 0.7) {
      const line = pick(random, [PERSON_LINES[who], "relay-api"] as const);
      const kind = pick(random, ["hold", "cut"] as const);
      const ms = pick(random, [between(random, SECOND, 5 * SECOND), between(random, 5 * SECOND, 2 * MINUTE)]);
      const direction = pick(random, ["there", "back", "both"] as const);
      const from =
        at + pick(random, [between(random, -300, 0), between(random, 0, 60), between(random, 0, 300)]);
      if (kind === "hold") happenings.push({ at: from, kind, line, direction, ms } as const);
      else happenings.push({ at: from, kind, line, ms } as const);
    }
    const more = pick(random, [0, 0, 1, 2]);
    for (let again = 0; again < more; again += 1) {
      at += pick(random, [
        between(random, 0, 400),
        between(random, SECOND, 5 * SECOND),
        between(random, 21 * SECOND, 40 * SECOND),
      ]);
      happenings.push({ at, who: pick(random, people), ...save });
    }
  }
  return happenings.filter(({ at }) => at > 0 && at < end);
}

const SETTINGS_STREAM = 55_000_004;

/** Draw who changes settings of valves: one setting each, of the same valve, from pages that were loaded before. */
export function drawSettingSaves(seed: number, people: readonly ("kim" | "lee")[], end: number) {
  const random = seededRandom(seed + SETTINGS_STREAM);
  const happenings = [];
  const bursts = pick(random, [0, 2, 4]);
  for (let one = 0; one < bursts; one += 1) {
    let at = between(random, SECOND, end);
    const valve = between(random, 1, 2);
    const who = pick(random, people);
    if (random() < 0.4) {
      const line = pick(random, [PERSON_LINES[who], "relay-api"] as const);
      const direction = pick(random, ["there", "back", "both"] as const);
      const ms = between(random, SECOND, MINUTE);
      happenings.push({ at: at + between(random, -300, 300), kind: "hold", line, direction, ms } as const);
    }
    const saves = pick(random, [1, 2, 3]);
    for (let save = 0; save < saves; save += 1) {
      const thing = pick(random, VALVE_SETTINGS);
      happenings.push({
        ...({ at, kind: "save", thing, valve } as const),
        who: save === 0 ? who : pick(random, people),
      });
      at += pick(random, [between(random, 0, 400), between(random, SECOND, 30 * SECOND)]);
    }
  }
  return happenings.filter(({ at }) => at > 0 && at < end);
}

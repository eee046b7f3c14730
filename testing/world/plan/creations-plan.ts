import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick } from "./draw.ts";

/** Things that people create and delete. */
export const CREATED_THINGS = ["farm", "sensor"] as const;
export type CreatedThing = (typeof CREATED_THINGS)[number];

/**
 * Presses: create a new thing; send the same form once more; create what another form has, or had, just created; delete
 * the newest created one of the page; press that deletion once more.
 */
const CREATION_ACTS = ["create", "create-again", "create-same", "delete", "delete-again"] as const;
export type CreationAct = (typeof CREATION_ACTS)[number];

/** A person creates or deletes a thing. */
export const CreationHappening = Type.Object({
  kind: Type.Literal("creation"),
  who: Type.Optional(Type.Enum(["kim", "lee"])),
  thing: Type.Enum(CREATED_THINGS),
  act: Type.Enum(CREATION_ACTS),
});

/** Own stream of random numbers, so that what other parts of a plan draw stays as it is. */
const STREAM = 55_000_005;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const PERSON_LINES = { kim: "phone-relay", lee: "lee-relay" } as const;

/**
 * Draw what people create and delete: near what happens otherwise, by two at the same time, once more where there was no
 * answer, and with a trouble of a line, or of the farm API, within the second.
 *
 * @param end after which nothing happens, ms since the start
 */
export function drawCreations(
  seed: number,
  others: readonly { readonly at: number; readonly ms?: number | undefined }[],
  people: readonly ("kim" | "lee")[],
  things: readonly CreatedThing[],
  end: number,
) {
  const random = seededRandom(seed + STREAM);
  const happenings = [];
  const bursts = pick(random, [0, 3, 6, 9]);
  const trouble = (who: "kim" | "lee", at: number, act: "create" | "delete") => {
    const from = Math.max(
      0,
      at + pick(random, [between(random, -300, 0), between(random, 0, 60), between(random, 0, 300)]),
    );
    const ms = pick(random, [
      between(random, SECOND, 5 * SECOND),
      between(random, 5 * SECOND, 2 * MINUTE),
      // Until after the page has given its call up, and has begun the next one.
      between(random, 20 * SECOND, 40 * SECOND),
    ]);
    const how = pick(random, ["hold", "hold", "hold", "cut", "cut", "kill", "freeze"] as const);
    if (how === "kill" || how === "freeze")
      return { at: from, kind: how, machine: pick(random, ["api", "api", "relay"] as const), ms } as const;
    const line = pick(random, [PERSON_LINES[who], "relay-api"] as const);
    const direction = pick(
      random,
      // A lost answer hurts a deletion more than a lost call.
      act === "create" ? (["there", "back", "both"] as const) : (["back", "back", "both"] as const),
    );
    return how === "hold"
      ? ({ at: from, kind: how, line, direction, ms } as const)
      : ({ at: from, kind: how, line, ms } as const);
  };
  const pause = (): number =>
    pick(random, [
      between(random, 0, 400),
      between(random, SECOND, 5 * SECOND),
      between(random, 21 * SECOND, 60 * SECOND),
    ]);
  for (let one = 0; one < bursts; one += 1) {
    const other = random() < 0.4 && others.length > 0 ? pick(random, others) : null;
    const near = other && other.at + (random() < 0.5 ? (other.ms ?? 0) : 0);
    let at = Math.max(
      SECOND,
      (near ?? between(random, SECOND, end)) + between(random, -4 * SECOND, 4 * SECOND),
    );
    const who = pick(random, people);
    const thing = pick(random, things);
    const creation = { kind: "creation", thing } as const;
    happenings.push({ at, who, ...creation, act: "create" } as const);
    if (random() < 0.7) happenings.push(trouble(who, at, "create"));
    if (random() < 0.3) {
      at += pause();
      const act = pick(random, ["create-again", "create-same", "create"] as const);
      const by = act === "create-again" ? who : pick(random, people);
      happenings.push({ at, who: by, ...creation, act } as const);
    }
    if (random() < 0.5) continue;
    at += pick(random, [between(random, 0, 10 * SECOND), between(random, 30 * SECOND, 5 * MINUTE)]);
    happenings.push({ at, who, ...creation, act: "delete" } as const);
    if (random() < 0.8) happenings.push(trouble(who, at, "delete"));
    for (let again = pick(random, [0, 1, 2]); again > 0; again -= 1) {
      at += pause();
      happenings.push({ at, who, ...creation, act: "delete-again" } as const);
    }
  }
  return happenings.filter(({ at }) => at > 0 && at < end);
}

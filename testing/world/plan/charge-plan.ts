import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick, troubleMs } from "./draw.ts";

/** Presses in the form of a mode: put it in charge as it is stored, save it and put it in charge, switch it off. */
const CHARGE_ACTS = ["on", "save-on", "off"] as const;
export type ChargeAct = (typeof CHARGE_ACTS)[number];

/** A person changes which mode is in charge of a valve, of which no plan wants anything. */
export const ChargeHappening = Type.Object({
  kind: Type.Literal("charge"),
  who: Type.Optional(Type.Enum(["kim", "lee"])),
  valve: Type.Integer({ minimum: 1 }),
  act: Type.Enum(CHARGE_ACTS),
});

/** Own stream of random numbers, so that what other parts of a plan draw stays as it is. */
const STREAM = 55_000_003;
const SECOND = 1_000;

const PERSON_LINES = { kim: "phone-relay", lee: "lee-relay" } as const;

/**
 * Draw who puts modes in charge, and switches them off: near what happens otherwise, by two at the same time, and with a
 * trouble of a line within the second.
 *
 * @param valves those without a mode of the plan
 * @param end after which nothing happens, ms since the start
 */
export function drawCharges(
  seed: number,
  others: readonly { readonly at: number; readonly ms?: number | undefined }[],
  people: readonly ("kim" | "lee")[],
  valves: readonly number[],
  end: number,
) {
  const random = seededRandom(seed + STREAM);
  const happenings = [];
  const bursts = valves.length === 0 ? 0 : pick(random, [0, 4, 8]);
  for (let one = 0; one < bursts; one += 1) {
    const other = random() < 0.5 && others.length > 0 ? pick(random, others) : null;
    const near = other && other.at + (random() < 0.5 ? (other.ms ?? 0) : 0);
    let at = Math.max(
      SECOND,
      (near ?? between(random, SECOND, end)) + between(random, -4 * SECOND, 4 * SECOND),
    );
    const valve = pick(random, valves);
    const presses = pick(random, [1, 2, 2, 3]);
    if (random() < 0.7) {
      const line = pick(random, [
        PERSON_LINES[pick(random, people)],
        "relay-api",
        "controller-broker",
      ] as const);
      const from = Math.max(
        0,
        at + pick(random, [between(random, -300, 60), between(random, 0, 5 * SECOND)]),
      );
      const direction = pick(random, ["there", "back", "back", "both"] as const);
      const ms = troubleMs(random);
      if (random() < 0.6) happenings.push({ at: from, kind: "hold", line, direction, ms } as const);
      else happenings.push({ at: from, kind: "cut", line, ms } as const);
    }
    for (let press = 0; press < presses; press += 1) {
      const act = pick(random, ["on", "save-on", "off", "off"] as const);
      happenings.push({ at, kind: "charge", who: pick(random, people), valve, act } as const);
      at += pick(random, [
        between(random, 0, 400),
        between(random, SECOND, 8 * SECOND),
        between(random, 21 * SECOND, 60 * SECOND),
      ]);
    }
  }
  return happenings.filter(({ at }) => at < end);
}

import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick } from "./draw.ts";

/** A person puts the sensor of the world on a channel, or takes it off where her page shows it there. */
export const LinkHappening = Type.Object({
  kind: Type.Literal("link"),
  who: Type.Optional(Type.Enum(["kim", "lee"])),
  valve: Type.Integer({ minimum: 1 }),
});

/** Own stream of random numbers, so that what other parts of a plan draw stays as it is. */
const STREAM = 55_000_006;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const PERSON_LINES = { kim: "phone-relay", lee: "lee-relay" } as const;

/**
 * Draw who puts the sensor on channels, and takes it off: by two at the same time, on two channels of one controller, and
 * with a trouble of a line within the second.
 *
 * @param valves those of which no mode needs the sensor
 * @param end after which nothing happens, ms since the start
 */
export function drawLinks(
  seed: number,
  people: readonly ("kim" | "lee")[],
  valves: readonly number[],
  end: number,
) {
  const random = seededRandom(seed + STREAM);
  const happenings = [];
  const bursts = valves.length === 0 ? 0 : pick(random, [0, 4, 8, 12]);
  for (let one = 0; one < bursts; one += 1) {
    let at = between(random, SECOND, end);
    if (random() < 0.6) {
      const line = pick(random, [PERSON_LINES[pick(random, people)], "relay-api", "relay-broker"] as const);
      const from = Math.max(
        0,
        at + pick(random, [between(random, -300, 60), between(random, 0, 5 * SECOND)]),
      );
      const direction = pick(random, ["there", "back", "back", "both"] as const);
      const ms = pick(random, [between(random, SECOND, 5 * SECOND), between(random, 5 * SECOND, MINUTE)]);
      if (random() < 0.6) happenings.push({ at: from, kind: "hold", line, direction, ms } as const);
      else happenings.push({ at: from, kind: "cut", line, ms } as const);
    }
    const presses = pick(random, [1, 2, 2, 3]);
    const first = between(random, 0, 1);
    for (let press = 0; press < presses; press += 1) {
      // Two people on two channels save what each of their pages shows of both.
      const turn = first + press;
      const who = people[turn % people.length] ?? "kim";
      const valve = valves[(random() < 0.7 ? turn : first) % valves.length] ?? 1;
      happenings.push({ at, kind: "link", who, valve } as const);
      at += pick(random, [
        between(random, 0, 400),
        between(random, 0, 400),
        between(random, SECOND, 8 * SECOND),
        between(random, 21 * SECOND, 60 * SECOND),
      ]);
    }
  }
  return happenings.filter(({ at }) => at > 0 && at < end);
}

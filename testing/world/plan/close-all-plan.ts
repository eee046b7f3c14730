import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick } from "./draw.ts";

/** A person closes all valves of the account. */
export const CloseAllHappening = Type.Object({
  kind: Type.Literal("close-all"),
  who: Type.Optional(Type.Enum(["kim", "lee"])),
});

/** Own stream of random numbers, so that what other parts of a plan draw stays as it is; no seed that docs name has any. */
const STREAM = 55_100_273;
const SECOND = 1_000;
/** Share of the worlds with any. */
const SHARE = 0.4;

/**
 * Draw who closes everything: near what happens otherwise, above all around openings and at both ends of a trouble.
 *
 * @param end after which nothing happens, ms since the start
 */
export function drawClosesOfAll(
  seed: number,
  others: readonly { readonly at: number; readonly ms?: number | undefined }[],
  people: readonly ("kim" | "lee")[],
  end: number,
) {
  const random = seededRandom(seed + STREAM);
  const presses = random() < SHARE && others.length > 0 ? pick(random, [2, 4, 8]) : 0;
  return Array.from({ length: presses }, () => {
    const { at, ms = 0 } = pick(random, others);
    const near = at + (random() < 0.5 ? ms : 0);
    const from = near + pick(random, [between(random, -500, 500), between(random, -8 * SECOND, 20 * SECOND)]);
    return { at: Math.max(SECOND, from), kind: "close-all", who: pick(random, people) } as const;
  }).filter(({ at }) => at < end);
}

import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick, troubleMs } from "./draw.ts";

/** The relay's own store takes no changes: its disk is full. */
export const RelayStoreHappening = Type.Object({
  kind: Type.Literal("relay-store"),
  ms: Type.Number({ minimum: 0 }),
});

/** Own stream of random numbers; no seed that docs name has any. */
const STREAM = 55_200_184;
const SECOND = 1_000;
/** Share of the worlds with any. */
const SHARE = 0.25;

/**
 * Draw when the relay's store takes no changes: around what happens otherwise.
 *
 * @param end after which nothing happens, ms since the start
 */
export function drawRelayStoreFaults(
  seed: number,
  others: readonly { readonly at: number; readonly ms?: number | undefined }[],
  end: number,
) {
  const random = seededRandom(seed + STREAM);
  const faults = random() < SHARE && others.length > 0 ? pick(random, [1, 3, 6]) : 0;
  return Array.from({ length: faults }, () => {
    const { at } = pick(random, others);
    const from = Math.max(SECOND, at + between(random, -4 * SECOND, 2 * SECOND));
    return { at: from, kind: "relay-store", ms: troubleMs(random) } as const;
  }).filter(({ at }) => at < end);
}

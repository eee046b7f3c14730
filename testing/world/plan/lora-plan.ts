import { seededRandom } from "@mulkko/shared/testing/random";
import { type Static, Type } from "typebox";
import { between, pick, troubleMs } from "./draw.ts";

/** A time in which a gateway has no line to its network server; ms since the start. */
const GatewayOutage = Type.Object({
  gateway: Type.Integer({ minimum: 0 }),
  at: Type.Number({ minimum: 0 }),
  ms: Type.Number({ minimum: 0 }),
});

/** Way of a LoRaWAN sensor: gateways, and a network server on the machine `sensor`. */
export const LoraPlan = Type.Object({
  /** Clock of each gateway, ms ahead of true time. */
  gateways: Type.Array(Type.Number(), { minItems: 1 }),
  /** Gateways keep what they cannot deliver, and send it later with the time of its reception. */
  keeps: Type.Boolean(),
  /** Share of the frames that a gateway does not receive. */
  lossShare: Type.Number(),
  outages: Type.Array(GatewayOutage),
});
export type LoraPlan = Static<typeof LoraPlan>;

/** A stream of its own, so that everything else of a world stays as it was. */
const STREAM = 61_000_003;
/** Share of the worlds with automatic mode whose sensor is a LoRaWAN one. */
const SHARE = 0.5;
const CLOCKS_MS = [0, 0, -250, 250, -1_500, 1_500] as const;
const MINUTE = 60_000;

/** Draw the way of a LoRaWAN sensor; null: it connects by itself. @param end of the last trouble, ms since the start */
export function drawLora(seed: number, end: number): LoraPlan | null {
  const random = seededRandom(seed + STREAM);
  if (random() >= SHARE) return null;
  const gateways = Array.from({ length: between(random, 1, 2) }, () => pick(random, CLOCKS_MS));
  const outages = Array.from({ length: between(random, 0, 4) }, () => {
    const ms = random() < 0.3 ? between(random, 3 * MINUTE, 8 * MINUTE) : troubleMs(random);
    const at = between(random, 0, Math.max(0, end - ms));
    return { gateway: between(random, 0, gateways.length - 1), at, ms };
  });
  return { gateways, keeps: random() < 0.7, lossShare: pick(random, [0, 0, 0.05, 0.3]), outages };
}

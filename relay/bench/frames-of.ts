import type { Competitor } from "./competitor.ts";
import type { Sent } from "./surroundings.ts";

/** Return the frame with each reading, or with a newer one of its sensor: state may skip one (SUB-5). */
export function framesOf(
  { api, name }: Competitor,
  sent: readonly Sent[],
  bodies: readonly string[],
): number[] {
  // A server without a farm API forwards every publication as it arrives.
  if (!api) return sent.map((_, index) => index);
  let from = 0;
  return sent.map(({ sensorId, at }) => {
    const key = `"sensor:${sensorId}":`;
    for (let frame = from; frame < bodies.length; frame += 1) {
      const body = bodies[frame] ?? "";
      const place = body.indexOf(key);
      const found = place < 0 ? undefined : /"at":"([^"]+)"/.exec(body.slice(place))?.[1];
      if (found === undefined || found < at) continue;
      from = frame;
      return frame;
    }
    throw new Error(`${name}: a reading was lost on its way`);
  });
}

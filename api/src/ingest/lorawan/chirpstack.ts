import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { type Adapted, bestSignal, ignored, receptionTime, refused } from "./uplink.ts";

const Time = Type.Optional(Type.String({ maxLength: 40 }));

/**
 * Used members of ChirpStack v4's `event/up` as JSON. Fields that are zero or empty may be missing.
 * https://www.chirpstack.io/docs/chirpstack/integrations/events.html
 */
const ChirpstackUp = Type.Object({
  deduplicationId: Type.Optional(Type.String({ maxLength: 64 })),
  time: Time,
  deviceInfo: Type.Object({ devEui: Type.String({ pattern: "^[0-9a-fA-F]{16}$" }) }),
  fPort: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
  /** The frame's bytes, base64. */
  data: Type.Optional(Type.String()),
  /** Output of the device profile's codec. */
  object: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
  rxInfo: Type.Optional(Type.Array(Type.Object({ rssi: Type.Optional(Type.Number()), nsTime: Time }))),
});

/** Events without measurements. */
const OTHER_EVENTS = ["join", "status", "ack", "txack", "log", "location", "integration"];

/** Read an event of ChirpStack v4. @param receivedAt ms since 1970 UTC */
export function readChirpstack(event: string, message: unknown, receivedAt: number): Adapted {
  if (event !== "up") return ignored(`chirpstack ${OTHER_EVENTS.includes(event) ? event : "other"}`);
  const parsed = parse(ChirpstackUp, message);
  if (!parsed.ok) return refused("wrong-type", parsed.path.slice(1));
  const { deduplicationId, time, deviceInfo, fPort, data, object, rxInfo } = parsed.value;
  if (!object) return data ? refused("not-decoded") : ignored("chirpstack empty frame");
  const gateways = rxInfo ?? [];
  const times = [time, ...gateways.map(({ nsTime }) => nsTime)];
  return {
    kind: "uplink",
    uplink: {
      externalId: deviceInfo.devEui.toLowerCase(),
      time: receptionTime(times, receivedAt),
      rssi: bestSignal(gateways),
      battery: null,
      fPort: fPort ?? null,
      frameId: deduplicationId ?? null,
      decoded: object,
    },
  };
}

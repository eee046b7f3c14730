import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { type Adapted, bestSignal, ignored, receptionTime, refused } from "./uplink.ts";

const Time = Type.Optional(Type.String({ maxLength: 40 }));

/**
 * Used members of The Things Stack v3's `ApplicationUp` as JSON. Fields that are zero, false or empty are
 * missing. https://www.thethingsindustries.com/docs/integrations/data-formats/
 */
const ThingsStackUp = Type.Object({
  end_device_ids: Type.Object({
    device_id: Type.String({ minLength: 1, maxLength: 64 }),
    dev_eui: Type.Optional(Type.String({ pattern: "^[0-9a-fA-F]{16}$" })),
  }),
  correlation_ids: Type.Optional(Type.Array(Type.String({ maxLength: 128 }))),
  received_at: Time,
  simulated: Type.Optional(Type.Boolean()),
  uplink_message: Type.Object({
    f_port: Type.Optional(Type.Integer({ minimum: 0, maximum: 255 })),
    /** The frame's bytes, base64. */
    frm_payload: Type.Optional(Type.String()),
    /** Output of the payload formatter. */
    decoded_payload: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
    rx_metadata: Type.Optional(Type.Array(Type.Object({ rssi: Type.Optional(Type.Number()) }))),
    /** Time of reception by the network server; a gateway's own `time` is often unset. */
    received_at: Time,
    last_battery_percentage: Type.Optional(
      Type.Object({ value: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })) }),
    ),
  }),
});

/** Members of messages without measurements. */
const OTHER_MEMBERS = [
  "join_accept",
  "downlink_ack",
  "downlink_nack",
  "downlink_sent",
  "downlink_failed",
  "downlink_queued",
  "downlink_queue_invalidated",
  "location_solved",
  "service_data",
  "uplink_normalized",
];

const OTHER_EVENTS = [
  "join",
  "down/queued",
  "down/sent",
  "down/ack",
  "down/nack",
  "down/failed",
  "service/data",
  "location/solved",
];

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Read a message of The Things Stack v3. @param receivedAt ms since 1970 UTC */
export function readThingsStack(event: string, message: unknown, receivedAt: number): Adapted {
  if (event !== "up") return ignored(`tts ${OTHER_EVENTS.includes(event) ? event : "other"}`);
  const other =
    isObject(message) && !Object.hasOwn(message, "uplink_message")
      ? OTHER_MEMBERS.find((member) => Object.hasOwn(message, member))
      : undefined;
  if (other) return ignored(`tts ${other}`);
  const parsed = parse(ThingsStackUp, message);
  if (!parsed.ok) return refused("wrong-type", parsed.path.slice(1));
  const { end_device_ids: ids, uplink_message: up, correlation_ids: correlation } = parsed.value;
  // Simulated in the console to test a payload formatter: not a measurement.
  if (parsed.value.simulated) return ignored("tts simulated");
  if (!up.decoded_payload) return up.frm_payload ? refused("not-decoded") : ignored("tts empty frame");
  return {
    kind: "uplink",
    uplink: {
      externalId: (ids.dev_eui ?? ids.device_id).toLowerCase(),
      time: receptionTime([up.received_at, parsed.value.received_at], receivedAt),
      rssi: bestSignal(up.rx_metadata),
      battery: up.last_battery_percentage?.value ?? null,
      fPort: up.f_port ?? null,
      frameId: correlation?.find((id) => id.startsWith("ns:uplink:")) ?? null,
      decoded: up.decoded_payload,
    },
  };
}

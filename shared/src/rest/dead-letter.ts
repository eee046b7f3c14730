import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** Reasons for rejecting a message, or one field of it. */
export const REJECT_REASONS = [
  "mqtt-5",
  "unknown-topic",
  "unknown-serial",
  "unknown-external-id",
  "no-profile",
  "unknown-channel",
  "too-large",
  "not-json",
  "not-decoded",
  "wrong-type",
  "out-of-range",
  "bad-time",
  "from-future",
  "no-usable-field",
  "not-storable",
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** A message of a device that was rejected, or only partly accepted. */
export const DeadLetter = Type.Object({
  at: Instant,
  topic: Type.String(),
  /** Reasons; `field` is null for the whole message. A newer API may have other reasons. */
  faults: Type.Array(Type.Object({ reason: Type.String(), field: Nullable(Type.String()) })),
  /** The message as text, cut to a maximum length. */
  text: Type.String(),
});
export type DeadLetter = Static<typeof DeadLetter>;

/** Answer of `GET /api/v1/device/{id}/dead-letters` (extension `dead-letters`): those of the last seven days. */
export const DeadLetterReport = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  /** True if there were more than are counted; only a limited number is stored. */
  more: Type.Boolean(),
  /** The newest ones, newest first. */
  letters: Type.Array(DeadLetter),
});
export type DeadLetterReport = Static<typeof DeadLetterReport>;

/** An unregistered device that tried to reach the farm. */
export const Knock = Type.Object({
  /** A serial at the broker, or a LoRaWAN device by its DevEUI or device id. */
  kind: Type.Union([Type.Literal("serial"), Type.Literal("external-id")]),
  name: Type.String(),
  count: Type.Integer({ minimum: 1 }),
  firstAt: Instant,
  lastAt: Instant,
});
export type Knock = Static<typeof Knock>;

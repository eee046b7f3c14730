import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { Actor } from "./devices.ts";

/** What opened a valve: our command, a mode, or somebody at the device (CMD-6). */
export const WateringCause = Type.Union([
  Type.Literal("person"),
  Type.Literal("automatic"),
  Type.Literal("reservation"),
  Type.Literal("period"),
  Type.Literal("external"),
]);
export type WateringCause = Static<typeof WateringCause>;

/** `watering:{id}`: one run of water through a channel; `end` null while it runs. Moisture in %, water in L. */
export const Watering = Type.Object({
  id: Type.String(),
  channelId: Type.String(),
  cause: WateringCause,
  by: Nullable(Actor),
  start: Instant,
  end: Nullable(Instant),
  endReason: Nullable(
    Type.Union([
      Type.Literal("done"),
      Type.Literal("closed"),
      Type.Literal("upperBound"),
      Type.Literal("deadline"),
      Type.Literal("lost"),
    ]),
  ),
  moistureBefore: Nullable(Type.Number()),
  moistureAfter: Nullable(Type.Number()),
  litres: Nullable(Type.Number()),
  /** When the device closes by itself; while `end` is null, and nothing says that it keeps another end. */
  plannedEnd: Type.Optional(Nullable(Instant)),
  /** When the valve was first reported closed, where that was long after `end`: until then the end was not confirmed. */
  confirmedAt: Type.Optional(Instant),
  /** The valve's name, number and farms as the water began; absent in older records. */
  valveName: Type.Optional(Type.String()),
  number: Type.Optional(Type.Integer()),
  farmIds: Type.Optional(Type.Array(Type.String())),
});
export type Watering = Static<typeof Watering>;

import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { Actor } from "./devices.ts";

/** Cause of an opening: our command, a mode, or an external action at the device (CMD-6). */
export const WateringCause = Type.Union([
  Type.Literal("person"),
  Type.Literal("automatic"),
  Type.Literal("reservation"),
  Type.Literal("period"),
  Type.Literal("external"),
]);
export type WateringCause = Static<typeof WateringCause>;

/**
 * `watering:{id}`: one run of water through a channel; `end` is null while it runs. Moisture in %, water in
 * L.
 */
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
  /** True if the meter measured other channels at the same time: `litres` is this one's share (WAT-5). */
  litresShared: Type.Optional(Type.Boolean()),
  /** Time at which the device closes by itself; present while `end` is null and no other end is reported. */
  plannedEnd: Type.Optional(Nullable(Instant)),
  /**
   * The last end that the device or the relay named for this run, who closes the valve there, and if a person
   * commanded it. It stays after that end, so that an overdue valve is known after a restart (ALM-8). Absent in
   * older records.
   */
  runEnd: Type.Optional(
    Type.Object({
      at: Instant,
      by: Type.Union([Type.Literal("device"), Type.Literal("relay")]),
      commanded: Type.Boolean(),
    }),
  ),
  /**
   * Time at which the valve was first reported closed, where that was long after `end`: until then the end
   * was not confirmed.
   */
  confirmedAt: Type.Optional(Instant),
  /** Ended by the withdrawal of its opening, whose page got no answer (CMD-12); `endReason` is then `closed`. */
  withdrawn: Type.Optional(Type.Literal(true)),
  /** The valve's name, number and farms at the start of the watering; absent in older records. */
  valveName: Type.Optional(Type.String()),
  number: Type.Optional(Type.Integer()),
  farmIds: Type.Optional(Type.Array(Type.String())),
});
export type Watering = Static<typeof Watering>;

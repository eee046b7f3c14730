import { type Static, Type } from "typebox";
import { ModeLack } from "../entities/modes.ts";
import { Watering } from "../live/watering.ts";
import { Quality } from "../rules/quality.ts";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** Maximum number of waterings of one page. */
export const MAX_WATERINGS = 200;

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

/** Query of `GET /relay/waterings`; `cursor` is the `next` of the previous page. */
export const WateringsQuery = Type.Object({
  farm: Name,
  channel: Name,
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_WATERINGS, default: 50 })),
  cursor: Name,
});
export type WateringsQuery = Static<typeof WateringsQuery>;

/** A watering with the farms of its channel at its start; empty for a channel without a farm. */
export const ListedWatering = Type.Object({ ...Watering.properties, farmIds: Type.Array(Type.String()) });
export type ListedWatering = Static<typeof ListedWatering>;

/**
 * Sums of one farm and one day in the account's time zone, for the waterings that started on it. `litres` is
 * the sum of the `measured` ones, null without any; `seconds` counts running ones up to now.
 */
export const WateringSum = Type.Object({
  date: Type.String(),
  /** null: on no farm */
  farmId: Nullable(Type.String()),
  count: Type.Integer(),
  running: Type.Integer(),
  seconds: Type.Integer(),
  litres: Nullable(Type.Number()),
  measured: Type.Integer(),
});
export type WateringSum = Static<typeof WateringSum>;

/**
 * Answer of `GET /relay/waterings`: a page, newest first, and the sums of the whole selection. Waterings
 * before `keptFrom` are deleted.
 */
export const Waterings = Type.Object({
  timezone: Type.String(),
  today: Type.String(),
  keptFrom: Instant,
  /** Since when the relay has watched the account without a gap; waterings from before may be missing (WAT-4). */
  knownFrom: Instant,
  from: Instant,
  to: Instant,
  waterings: Type.Array(ListedWatering),
  next: Nullable(Type.String()),
  sums: Type.Array(WateringSum),
});
export type Waterings = Static<typeof Waterings>;

/** Query of `GET /relay/waterings/preview`. */
export const PreviewQuery = Type.Object({ farm: Name });

const Place = {
  channelId: Type.String(),
  controllerId: Id,
  number: Type.Integer(),
  farmIds: Type.Array(Type.String()),
  /** Quality of the channel's state, and with it of the plan. */
  quality: Nullable(Quality),
};

/** A running or planned watering. For a running one, `end` is null without a set end. */
export const PlannedWatering = Type.Object({
  id: Type.String(),
  ...Place,
  kind: Type.Union([Type.Literal("running"), Type.Literal("reservation"), Type.Literal("period")]),
  start: Instant,
  end: Nullable(Instant),
  /** Source of the start: a report, the set time, or the period since the last recorded run. */
  basis: Type.Union([Type.Literal("report"), Type.Literal("time"), Type.Literal("last-run")]),
  /** Other waterings on the same farm or controller at the same time. */
  overlaps: Type.Array(Type.String()),
});
export type PlannedWatering = Static<typeof PlannedWatering>;

/** A mode in charge that may water at an unknown time, or not at all. */
export const UntimedWatering = Type.Object({
  ...Place,
  mode: Type.Union([Type.Literal("automatic"), Type.Literal("reservation"), Type.Literal("period")]),
  reason: Type.Union([
    Type.Literal("by-moisture"),
    Type.Literal("start-unknown"),
    Type.Literal("incomplete"),
  ]),
  lack: Nullable(ModeLack),
});
export type UntimedWatering = Static<typeof UntimedWatering>;

/** Answer of `GET /relay/waterings/preview`: the next 24 hours, oldest first. */
export const WateringPreview = Type.Object({
  timezone: Type.String(),
  from: Instant,
  to: Instant,
  planned: Type.Array(PlannedWatering),
  untimed: Type.Array(UntimedWatering),
  /** Channels whose mode in charge is not reported yet, or cannot be reported. */
  unread: Type.Array(Type.String()),
  /** True if there is more than is listed. */
  truncated: Type.Boolean(),
});
export type WateringPreview = Static<typeof WateringPreview>;

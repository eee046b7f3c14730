import { type Static, Type } from "typebox";
import { ModeLack } from "../live/devices.ts";
import { Watering } from "../live/watering.ts";
import { Quality } from "../rules/quality.ts";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** Most waterings of one page. */
export const MAX_WATERINGS = 200;

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

/** Query of `GET /relay/waterings`; `cursor` is the `next` of the page before. */
export const WateringsQuery = Type.Object({
  farm: Name,
  channel: Name,
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_WATERINGS, default: 50 })),
  cursor: Name,
});
export type WateringsQuery = Static<typeof WateringsQuery>;

/** A watering with the farms whose land it was on as it began; none where its channel was on no farm. */
export const ListedWatering = Type.Object({ ...Watering.properties, farmIds: Type.Array(Type.String()) });
export type ListedWatering = Static<typeof ListedWatering>;

/**
 * What one farm got on one day of the account's time zone, of the waterings that began on it. `litres` is the sum
 * of the `measured` ones, null where none is; `seconds` counts those that run up to now.
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
 * Answer of `GET /relay/waterings`: a page, newest first, and the sums of all that the question selects. Nothing
 * is kept from before `keptFrom`.
 */
export const Waterings = Type.Object({
  timezone: Type.String(),
  today: Type.String(),
  keptFrom: Instant,
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
  /** How far the channel's state, and with it the plan, can be believed. */
  quality: Nullable(Quality),
};

/** Water that runs, or is going to. Of what runs, `end` is null where nobody has set one. */
export const PlannedWatering = Type.Object({
  id: Type.String(),
  ...Place,
  kind: Type.Union([Type.Literal("running"), Type.Literal("reservation"), Type.Literal("period")]),
  start: Instant,
  end: Nullable(Instant),
  /** What its begin is known by: a report, the time that was set, or the period since the last run. */
  basis: Type.Union([Type.Literal("report"), Type.Literal("time"), Type.Literal("last-run")]),
  /** Others on the same farm or controller that run at the same time. */
  overlaps: Type.Array(Type.String()),
});
export type PlannedWatering = Static<typeof PlannedWatering>;

/** A mode that is in charge and may water at a time that nobody can tell, or not at all. */
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
  /** Channels that have not said yet which mode is in charge of them, or cannot. */
  unread: Type.Array(Type.String()),
  /** True where there is more than is listed. */
  truncated: Type.Boolean(),
});
export type WateringPreview = Static<typeof WateringPreview>;

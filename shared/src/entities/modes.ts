import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

export const WateringMode = Type.Union([
  Type.Literal("automatic"),
  Type.Literal("period"),
  Type.Literal("reservation"),
]);

/** Missing parts of a mode in charge; an incomplete mode is stored and does not run. */
export const ModeLack = Type.Union([
  Type.Literal("setting"),
  Type.Literal("duration"),
  Type.Literal("bounds"),
  Type.Literal("sensor"),
  Type.Literal("time"),
  Type.Literal("interval"),
]);

export type ModeLack = Static<typeof ModeLack>;

/** The watering modes of a channel; durations and intervals are minutes, bounds percent. */
export const Modes = Type.Object({
  active: Type.Union([
    Type.Literal("none"),
    Type.Literal("automatic"),
    Type.Literal("period"),
    Type.Literal("reservation"),
  ]),
  automatic: Nullable(
    Type.Object({
      lowerBound: Nullable(Type.Number()),
      upperBound: Nullable(Type.Number()),
      wateringDuration: Type.Number(),
    }),
  ),
  reservation: Nullable(
    Type.Object({ onTime: Nullable(Type.String()), wateringDuration: Type.Number(), repeat: Type.Boolean() }),
  ),
  period: Nullable(
    Type.Object({
      wateringInterval: Nullable(Type.Number()),
      wateringDuration: Type.Number(),
      repeat: Type.Boolean(),
      /** Last due start, or activation, from which the next start counts; absent: not known. */
      countsFrom: Type.Optional(Instant),
    }),
  ),
  /** Modes that are switched on beside the one in charge; absent: none. */
  alsoOn: Type.Optional(Type.Array(WateringMode, { maxItems: 2 })),
  /** Missing part of the mode in charge; null or absent: none known. */
  incomplete: Type.Optional(Nullable(ModeLack)),
});

export type Modes = Static<typeof Modes>;

/** Return the enabled modes, the active one first; null if they are not reported (MODE-4). */
export function modesOn(modes: Modes | null): readonly Static<typeof WateringMode>[] | null {
  if (modes === null) return null;
  return modes.active === "none" ? [] : [modes.active, ...(modes.alsoOn ?? [])];
}

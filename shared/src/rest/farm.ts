import { type Static, Type } from "typebox";

/** Longest name of a farm, sensor or controller. */
export const MAX_NAME = 100;
/** Longest description. */
export const MAX_DESCRIPTION = 1_000;

export const Name = Type.String({ minLength: 1, maxLength: MAX_NAME });
export const Description = Type.String({ maxLength: MAX_DESCRIPTION });

/** Body of `POST /api/v1/cluster/add`; `sensors` are ids, as a repeated field or a comma list. */
export const FarmAddBody = Type.Object({
  name: Name,
  description: Type.Optional(Description),
  sensors: Type.Optional(
    Type.Union([
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 5_000 }),
      Type.String({ maxLength: 200_000 }),
    ]),
  ),
});
export type FarmAddBody = Static<typeof FarmAddBody>;

/** Body of `PUT /api/v1/cluster/update/{id}`. */
export const FarmUpdateBody = Type.Object({
  name: Name,
  description: Type.Optional(Description),
});
export type FarmUpdateBody = Static<typeof FarmUpdateBody>;

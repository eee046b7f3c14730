import type { ValveUnit } from "../../domain/valve/valve-units.ts";

type Named = Pick<ValveUnit, "id" | "form">;

/** Return the path of the valve panel, for one channel if a number is given. */
export const panelPathOf = ({ id }: Pick<ValveUnit, "id">, number?: number): string =>
  `/sensors/cot/detail?cotId=${encodeURIComponent(id)}${number === undefined ? "" : `&ch=${number}`}`;

/** Return the path of the form that adds the first channel to a controller. */
export const firstChannelPathOf = ({ id }: Pick<ValveUnit, "id">): string =>
  `/controller/edit?cotId=${encodeURIComponent(id)}&add=1`;

/** Return the path of the edit form; a COT sensor has the one of sensors. */
export const editPathOf = ({ id, form }: Named): string =>
  form === "controller"
    ? `/controller/edit?cotId=${encodeURIComponent(id)}`
    : `/sensors/edit?id=${encodeURIComponent(id)}`;

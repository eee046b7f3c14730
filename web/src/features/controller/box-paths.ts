import type { ValveBox } from "../../farm/valve-boxes.ts";

type Named = Pick<ValveBox, "id" | "form">;

/** The valve panel, of one channel where a number is given. */
export const panelPathOf = ({ id }: Pick<ValveBox, "id">, number?: number): string =>
  `/sensors/cot/detail?cotId=${encodeURIComponent(id)}${number === undefined ? "" : `&ch=${number}`}`;

/** Where it is edited: a sensor of type COT is a sensor there. */
export const editPathOf = ({ id, form }: Named): string =>
  form === "controller"
    ? `/controller/edit?cotId=${encodeURIComponent(id)}`
    : `/sensors/edit?id=${encodeURIComponent(id)}`;

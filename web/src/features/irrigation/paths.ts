import type { FarmDevice } from "./farm-list.ts";

const e = encodeURIComponent;

export const farmPath = (farmId: string): string => `/irrigation/farm?farm=${e(farmId)}`;
export const farmNamePath = (farmId: string): string => `/irrigation/name/edit?farm=${e(farmId)}`;
export const panelPath = (unitId: string, number?: number): string =>
  `/sensors/cot/detail?cotId=${e(unitId)}${number === undefined ? "" : `&ch=${number}`}`;

/** Address of the edit page of a farm's device. */
export const editPath = ({ id, form }: Pick<FarmDevice, "id" | "form">, farmId: string): string =>
  form === "controller"
    ? `/controller/edit?cotId=${e(id)}`
    : `/irrigation/edit?id=${e(id)}&farm=${e(farmId)}`;

/** Address of the page of a farm's device. */
export const devicePath = ({ id, kind }: Pick<FarmDevice, "id" | "kind">): string =>
  kind === "box" ? panelPath(id) : `/sensors/type?id=${e(id)}`;

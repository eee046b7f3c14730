import { controllerEditPath, logPath, panelPath } from "../../domain/farm/device-paths.ts";
import type { FarmDevice } from "./farm-list.ts";

const e = encodeURIComponent;

export const farmPath = (farmId: string): string => `/irrigation/farm?farm=${e(farmId)}`;
export const farmNamePath = (farmId: string): string => `/irrigation/name/edit?farm=${e(farmId)}`;

/** Return the path of the edit page of a farm's device. */
export const editPath = ({ id, form }: Pick<FarmDevice, "id" | "form">, farmId: string): string =>
  form === "controller" ? controllerEditPath(id) : `/irrigation/edit?id=${e(id)}&farm=${e(farmId)}`;

/** Return the path of the page of a farm's device. */
export const devicePath = ({ id, kind }: Pick<FarmDevice, "id" | "kind">): string =>
  kind === "unit" ? panelPath(id) : logPath(id);

import type { ValveUnit } from "../valve/valve-units.ts";

const e = encodeURIComponent;

/** Return the path of a sensor's log. */
export const logPath = (sensorId: string | number): string => `/sensors/type?id=${e(sensorId)}`;

/** Path of the valve panel. */
export const PANEL_PATH = "/sensors/cot/detail";

/** Return the path of the valve panel of a controller or COT sensor, for one channel if a number is given. */
export const panelPath = (unitId: string | number, number?: number): string =>
  `${PANEL_PATH}?cotId=${e(unitId)}${number === undefined ? "" : `&ch=${number}`}`;

/** Return the path of a controller's edit form, with a channel to edit or to add if a number is given. */
export const controllerEditPath = (id: string, number?: number): string =>
  `/controller/edit?cotId=${e(id)}${number === undefined ? "" : `&add=${number}`}`;

/** Return the path of the field in which a controller's valve gets its name. */
export const valveNamePath = (id: string, number: number): string =>
  `${controllerEditPath(id)}&name=${number}`;

/** Return the path of the edit form; a COT sensor has the one of sensors. */
export const unitEditPath = ({ id, form }: Pick<ValveUnit, "id" | "form">): string =>
  form === "controller" ? controllerEditPath(id) : `/sensors/edit?id=${e(id)}`;

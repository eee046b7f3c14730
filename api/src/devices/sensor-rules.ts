import { isDeviceTypeName } from "@mulkko/shared/catalogue/registry";
import { COT_CHANNELS, MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import { refuse } from "../http/api-error.ts";
import type { SensorFields } from "./sensor-repository.ts";

/** Sensor values of a form; a missing value is undefined, an empty one null. */
export interface SensorForm {
  readonly name?: string;
  readonly deviceType?: string;
  readonly description?: string;
  readonly crops?: string;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly widget?: boolean;
  readonly chNums?: number | null;
}

/** A sensor's columns except its farm, which depends on the account. */
export type PlainFields = Omit<SensorFields, "clusterId">;

const NEW_SENSOR: PlainFields = {
  name: "",
  deviceType: "SMS",
  description: "",
  crops: "",
  latitude: 0,
  longitude: 0,
  widget: false,
  chNums: 0,
};

/** ATS03 is in no add form, but a controller of type CON04E accepts it. */
const isKnownType = (type: string): boolean => isDeviceTypeName(type) || type === "ATS03";

const serialFault = (text: string): string | null => {
  if (!/^\d+$/.test(text)) return "serial must contain only digits";
  const digits = text.replace(/^0+/, "").length;
  if (digits === 0) return "serial must not be zero";
  return digits > MAX_SERIAL_DIGITS ? `serial must have at most ${MAX_SERIAL_DIGITS} digits` : null;
};

/** Parse the serial of a form; leading zeros are dropped. @throws FieldsError */
export function serialNumberOf(text: string): number {
  const trimmed = text.trim();
  refuse({ serial: serialFault(trimmed) });
  return Number(trimmed);
}

const rangeFault = (field: string, value: number, limit: number): string | null =>
  Math.abs(value) <= limit ? null : `${field} must be from -${limit} to ${limit}`;

/**
 * Return a sensor's columns from a form. Missing values, and an emptied coordinate, stay unchanged.
 *
 * @param before undefined for a new sensor
 * @throws FieldsError for each broken rule
 */
export function sensorFieldsOf(form: SensorForm, before?: PlainFields): PlainFields {
  const from = before ?? NEW_SENSOR;
  const deviceType = (form.deviceType ?? from.deviceType).trim() || (before ? "" : NEW_SENSOR.deviceType);
  const name = (form.name ?? from.name).trim();
  const latitude = form.latitude ?? from.latitude;
  const longitude = form.longitude ?? from.longitude;
  const isCot = deviceType === "COT";
  // A count that an earlier version allowed stays until it is changed.
  const wasCot = before?.deviceType === "COT" ? before.chNums : null;
  const chNums = isCot ? (form.chNums ?? (from.chNums || COT_CHANNELS.preset)) : 0;
  refuse({
    name: name === "" && !before ? "name is required" : null,
    deviceType:
      deviceType === ""
        ? "device type is required"
        : isKnownType(deviceType) || deviceType === before?.deviceType
          ? null
          : "unknown device type",
    latitude: rangeFault("latitude", latitude, 90),
    longitude: rangeFault("longitude", longitude, 180),
    chNums:
      !isCot || chNums === wasCot || (chNums >= COT_CHANNELS.min && chNums <= COT_CHANNELS.max)
        ? null
        : `chNums must be from ${COT_CHANNELS.min} to ${COT_CHANNELS.max}`,
  });
  return {
    name,
    deviceType,
    description: form.description ?? from.description,
    crops: form.crops ?? from.crops,
    latitude,
    longitude,
    widget: form.widget ?? from.widget,
    chNums,
  };
}

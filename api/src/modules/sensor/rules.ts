import { isDeviceTypeName } from "@mulkko/shared/catalogue/registry";
import { COT_CHANNELS, MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import { refuse } from "../../http/refuse.ts";
import type { SensorFields } from "./repository.ts";

/** What a form says of a sensor; what it leaves out or empty is undefined or null. */
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

/** A sensor's columns but its farm, which the account decides. */
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

/** ATS03 stands in no add form, but a controller of type CON04E takes it. */
const isKnownType = (type: string): boolean => isDeviceTypeName(type) || type === "ATS03";

const serialFault = (text: string): string | null => {
  if (!/^\d+$/.test(text)) return "serial takes digits only";
  const digits = text.replace(/^0+/, "").length;
  if (digits === 0) return "serial must not be zero";
  return digits > MAX_SERIAL_DIGITS ? `serial has at most ${MAX_SERIAL_DIGITS} digits` : null;
};

/** A serial as a form sends it; leading zeros fall away. @throws FieldsError */
export function serialNumberOf(text: string): number {
  const trimmed = text.trim();
  refuse({ serial: serialFault(trimmed) });
  return Number(trimmed);
}

const rangeFault = (field: string, value: number, limit: number): string | null =>
  Math.abs(value) <= limit ? null : `${field} lies between -${limit} and ${limit}`;

/**
 * A sensor's columns out of a form: what the form leaves out, and a coordinate that it empties, stay as they were.
 *
 * @param before undefined for a new sensor
 * @throws FieldsError for each rule that is broken
 */
export function sensorFieldsOf(form: SensorForm, before?: PlainFields): PlainFields {
  const from = before ?? NEW_SENSOR;
  const deviceType = (form.deviceType ?? from.deviceType).trim() || (before ? "" : NEW_SENSOR.deviceType);
  const name = (form.name ?? from.name).trim();
  const latitude = form.latitude ?? from.latitude;
  const longitude = form.longitude ?? from.longitude;
  const isCot = deviceType === "COT";
  const chNums = isCot ? (form.chNums ?? (from.chNums || COT_CHANNELS.preset)) : 0;
  refuse({
    name: name === "" && !before ? "name is required" : null,
    deviceType:
      deviceType === ""
        ? "device type is required"
        : isKnownType(deviceType) || deviceType === before?.deviceType
          ? null
          : "this device type is not known",
    latitude: rangeFault("latitude", latitude, 90),
    longitude: rangeFault("longitude", longitude, 180),
    chNums:
      !isCot || (chNums >= COT_CHANNELS.min && chNums <= COT_CHANNELS.max)
        ? null
        : `chNums lies between ${COT_CHANNELS.min} and ${COT_CHANNELS.max}`,
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

import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import type { FormFields } from "../../api/http.ts";
import { readDecimal } from "../form/decimal.ts";

/** Values of a sensor's form; numbers as typed. */
export interface SensorValues {
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  readonly crops: string;
  /** Degrees; empty if the sensor is not placed. */
  readonly latitude: string;
  readonly longitude: string;
  /** True if the dashboard shows a card for it. */
  readonly widget: boolean;
  /** The farm's id; `0` for none. */
  readonly clusterId: string;
  /** Channel count; only for COT. */
  readonly chNums: string;
  /** Extension `devices`: the id in the network server, and the decoder of its messages. */
  readonly externalId: string;
  readonly profile: string;
  /** Photo that is not saved yet. */
  readonly image: File | null;
}

/**
 * Purpose of the form. A new sensor has a serial field and no card setting. An existing sensor keeps its
 * serial, which only an administrator can correct.
 */
export type SensorMode = "add" | "edit" | "correct";

export const NO_FARM = "0";

/** Channel counts that the form offers. */
export const COT_CHOICES: readonly number[] = [2, 3, 4, 5, 6, 7, 8];

/** The farm API sends 0 for a sensor that is not placed. */
const degrees = (value: number | null | undefined): string => (value ? `${value}` : "");

/** Return a sensor as initial form values. */
export function sensorValuesOf(info: SensorInfo): SensorValues {
  return {
    name: info.name ?? "",
    serial: `${info.serial ?? ""}`,
    deviceType: info.deviceType,
    description: info.description ?? "",
    crops: info.crops ?? "",
    latitude: degrees(info.latitude),
    longitude: degrees(info.longitude),
    widget: info.widget ?? false,
    clusterId: `${info.clusterId ?? info.clusters?.[0]?.id ?? NO_FARM}`,
    chNums: `${info.chNums || COT_CHOICES[0]}`,
    externalId: info.externalId ?? "",
    profile: info.profile ?? "",
    image: null,
  };
}

export const NEW_SENSOR: SensorValues = sensorValuesOf({ id: "", serial: "", deviceType: "SMS" });

/**
 * Return the fields of an update to send. A field that the farm API did not return is sent only if the user
 * filled it in, because an empty value would clear what is stored.
 *
 * @param whole all fields of the form
 * @param before the initial fields of the form
 */
export function readFields(whole: FormFields, before: FormFields, sensor: SensorInfo): FormFields {
  const said: Readonly<Record<string, unknown>> = {
    ...sensor,
    clusterId: sensor.clusterId ?? sensor.clusters,
  };
  const isSent = ([name, value]: [string, unknown]) => said[name] !== undefined || value !== before[name];
  return Object.fromEntries(Object.entries(whole).filter(isSent));
}

/** Return a serial without its leading zeros. */
export function plainSerial(text: string): string {
  return text.trim().replace(/^0+(?=\d)/, "");
}

/** Return the stored coordinate if the field was emptied. */
export function restoredCoordinate(text: string, before: string): string {
  return text.trim() === "" ? before : text;
}

export type SensorFault =
  | "required"
  | "deviceType"
  | "digits"
  | "longSerial"
  | "latitude"
  | "longitude"
  | "together";

const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;

function coordinateFault(text: string, limit: number): boolean {
  const value = readDecimal(text);
  return value !== null && !(Math.abs(value) <= limit);
}

function serialFault(text: string): SensorFault | undefined {
  const serial = plainSerial(text);
  if (serial === "") return "required";
  if (!/^\d+$/.test(serial) || serial === "0") return "digits";
  return serial.length > MAX_SERIAL_DIGITS ? "longSerial" : undefined;
}

/**
 * Check a sensor's form and return its faults by field. An existing sensor may have no name; a new one needs
 * one.
 */
export function sensorFaults(
  values: SensorValues,
  mode: SensorMode,
): Partial<Record<keyof SensorValues, SensorFault>> {
  const faults: Partial<Record<keyof SensorValues, SensorFault>> = {};
  if (mode === "add" && values.name.trim() === "") faults.name = "required";
  if (mode !== "edit") {
    const serial = serialFault(values.serial);
    if (serial !== undefined) faults.serial = serial;
  }
  if (values.deviceType === "") faults.deviceType = "deviceType";
  if (coordinateFault(values.latitude, MAX_LATITUDE)) faults.latitude = "latitude";
  if (coordinateFault(values.longitude, MAX_LONGITUDE)) faults.longitude = "longitude";
  const isPlaced = [values.latitude, values.longitude].map((text) => text.trim() !== "");
  if (isPlaced[0] && !isPlaced[1]) faults.longitude ??= "together";
  if (!isPlaced[0] && isPlaced[1]) faults.latitude ??= "together";
  return faults;
}

/** Fields beyond the base contract that the API call stores. */
export interface KeptFields {
  /** External ids and decoders. */
  readonly devices: boolean;
  readonly crops: boolean;
}

/** Return the fields that both forms send. */
function commonFields(values: SensorValues, { crops }: KeptFields): FormFields {
  return {
    name: values.name.trim(),
    deviceType: values.deviceType,
    description: values.description.trim(),
    crops: crops ? values.crops.trim() : undefined,
    latitude: readDecimal(values.latitude) ?? 0,
    longitude: readDecimal(values.longitude) ?? 0,
    clusterId: values.clusterId,
    chNums: values.deviceType === "COT" ? values.chNums : undefined,
  };
}

/** Return the request of a new sensor. */
export function addForm(values: SensorValues, kept: KeptFields): FormFields {
  const text = (value: string) => (kept.devices && value.trim() !== "" ? value.trim() : undefined);
  return {
    ...commonFields(values, kept),
    serial: plainSerial(values.serial),
    externalId: text(values.externalId),
    profile: text(values.profile),
  };
}

/** Return the request of an update, which clears emptied external ids and decoders. */
export function updateForm(id: string, values: SensorValues, kept: KeptFields): FormFields {
  return {
    id,
    ...commonFields(values, kept),
    serial: plainSerial(values.serial),
    widget: values.widget,
    externalId: kept.devices ? values.externalId.trim() : undefined,
    profile: kept.devices ? values.profile : undefined,
  };
}

import type { SensorInfo } from "@mulkko/shared/entities/sensor";
import { MAX_SERIAL_DIGITS } from "@mulkko/shared/rest/sensor";
import type { FormFields } from "../rest/bodies.ts";
import { readDecimal } from "../ui/form/decimal.ts";

/** What stands in a sensor's form; numbers as they were typed. */
export interface SensorValues {
  readonly name: string;
  readonly serial: string;
  readonly deviceType: string;
  readonly description: string;
  readonly crops: string;
  /** Degrees; empty is "not placed". */
  readonly latitude: string;
  readonly longitude: string;
  /** Shown as a card. */
  readonly widget: boolean;
  /** The farm's id; `0` is none. */
  readonly clusterId: string;
  /** Channel count, COT alone. */
  readonly chNums: string;
  /** Extension `devices`: the network server's name for it, and the decoder of its messages. */
  readonly externalId: string;
  readonly profile: string;
  /** A picture that is not saved yet. */
  readonly image: File | null;
}

/**
 * Who fills the form in. A new sensor has a serial to type and no card yet; one that stands keeps its serial, which
 * an administrator alone may put right.
 */
export type SensorMode = "add" | "edit" | "correct";

export const NO_FARM = "0";

/** Channel counts that the form offers. */
export const COT_CHOICES: readonly number[] = [2, 3, 4, 5, 6, 7, 8];

export const NEW_SENSOR: SensorValues = {
  name: "",
  serial: "",
  deviceType: "SMS",
  description: "",
  crops: "",
  latitude: "",
  longitude: "",
  widget: false,
  clusterId: NO_FARM,
  chNums: `${COT_CHOICES[0]}`,
  externalId: "",
  profile: "",
  image: null,
};

/** 0 is how the farm API says that a sensor is not placed. */
const degrees = (value: number | null | undefined): string => (value ? `${value}` : "");

/** A sensor as its form begins. */
export function sensorValuesOf(info: SensorInfo): SensorValues {
  return {
    name: info.name ?? "",
    serial: `${info.serial}`,
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

/** A serial without its leading zeros. */
export function plainSerial(text: string): string {
  return text.trim().replace(/^0+(?=\d)/, "");
}

/** A coordinate that was emptied comes back as it was. */
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

/** What is wrong with a sensor's form, by field. A sensor that stands may be without a name; a new one may not. */
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

/** What both forms send. */
function commonFields(values: SensorValues): FormFields {
  return {
    name: values.name.trim(),
    deviceType: values.deviceType,
    description: values.description.trim(),
    crops: values.crops.trim(),
    latitude: readDecimal(values.latitude) ?? 0,
    longitude: readDecimal(values.longitude) ?? 0,
    clusterId: values.clusterId,
    chNums: values.deviceType === "COT" ? values.chNums : undefined,
  };
}

/** The form of a new sensor. @param devices the API takes external ids and decoders */
export function addForm(values: SensorValues, devices: boolean): FormFields {
  const text = (value: string) => (devices && value.trim() !== "" ? value.trim() : undefined);
  return {
    ...commonFields(values),
    serial: plainSerial(values.serial),
    externalId: text(values.externalId),
    profile: text(values.profile),
  };
}

/** The form of a changed sensor. @param devices the API takes external ids and decoders; emptied ones go */
export function updateForm(id: string, values: SensorValues, devices: boolean): FormFields {
  return {
    id,
    ...commonFields(values),
    serial: plainSerial(values.serial),
    widget: values.widget,
    externalId: devices ? values.externalId.trim() : undefined,
    profile: devices ? values.profile : undefined,
  };
}

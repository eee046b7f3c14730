import { deviceTypeOf } from "../catalogue/registry.ts";
import { fieldQuality, type Quality, valueTime } from "../rules/quality.ts";
import type { ControllerValue, SensorValue } from "./devices.ts";

/** The part of a sensor's value that decides about the trust in its main number. */
export type AgedSensor = Pick<
  SensorValue,
  "info" | "reading" | "at" | "fieldTimes" | "heardAt" | "quality" | "link"
>;
/** A device of either kind. Only a sensor has a number with an age of its own. */
export type AgedDevice =
  | AgedSensor
  | (Pick<ControllerValue, "heardAt" | "quality"> & Partial<Pick<ControllerValue, "link">>);

/** Return the field that stands for a sensor in rows, tiles and counts; undefined where it measures none. */
function mainField({ info, reading }: AgedSensor): string | undefined {
  const { primary } = deviceTypeOf(info.deviceType, reading ?? {});
  return primary === "" ? undefined : primary;
}

/** Return true for a sensor that is a valve unit: its state is as old as its last contact. */
const isValveUnit = ({ info }: AgedSensor): boolean => info.deviceType === "COT";

/**
 * Return the quality with which a device is counted and listed: a sensor's is the one of its main number, so
 * that a count agrees with the numbers beside it (AGE-1).
 */
export function countedQuality(device: AgedDevice): Quality | null {
  if (!("at" in device) || !device.fieldTimes || isValveUnit(device)) return device.quality;
  const field = mainField(device);
  return field === undefined ? device.quality : fieldQuality(device.quality, device, field);
}

/**
 * Return the time from which a device's number is as old as it is drawn; null without any. A valve unit's is
 * its last contact (AGE-1).
 *
 * @param field the field that is drawn; absent for the main one
 */
export function shownTime(device: AgedDevice, field?: string): string | null {
  if (!("at" in device) || isValveUnit(device)) return device.heardAt;
  return valueTime(device, field ?? (device.fieldTimes ? mainField(device) : undefined));
}

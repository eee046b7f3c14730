import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldOf, widgetFields } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { useAge, useDrawnQuality, useLive } from "../../live/hooks.ts";

/** One sensor as its row and its popup draw it. */
export interface MapSensor {
  readonly value: SensorValue;
  readonly name: string;
  readonly type: DeviceType;
  /** The field that stands for the device first, then the others that cards show. */
  readonly fields: readonly FieldSpec[];
  /** The worse of the sensor's own quality and the links'. */
  readonly quality: DrawnQuality | null;
  readonly ageMs: number | null;
}

/** Follows one sensor; null once it is gone. */
export function useMapSensor(id: string): MapSensor | null {
  const value = useLive("sensor", id);
  const quality = useDrawnQuality(value);
  const ageMs = useAge(value?.heardAt ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  const primary = type.primary === "" ? [] : [fieldOf(type, type.primary)];
  const others = widgetFields(type, value.reading).filter(({ name }) => name !== type.primary);
  return { value, name: deviceName(value.info), type, fields: [...primary, ...others], quality, ageMs };
}

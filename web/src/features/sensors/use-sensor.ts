import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldOf, widgetFields } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { Quality } from "@mulkko/shared/rules/quality";
import { useAge, useLive, useShownQuality } from "../../live/hooks.ts";

/** One sensor as its row or card draws it. */
export interface ShownSensor {
  readonly value: SensorValue;
  readonly name: string;
  readonly type: DeviceType;
  /** The field that stands for the device; null for a type without fields. */
  readonly primary: FieldSpec | null;
  /** The others that cards show. */
  readonly others: readonly FieldSpec[];
  /** The worse of the sensor's own quality and the links'. */
  readonly quality: Quality | null;
  readonly ageMs: number | null;
}

/** Follows one sensor; null once it is gone. */
export function useSensor(id: string): ShownSensor | null {
  const value = useLive("sensor", id);
  const quality = useShownQuality(value?.quality ?? null);
  const ageMs = useAge(value?.heardAt ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  return {
    value,
    name: deviceName(value.info),
    type,
    primary: type.primary === "" ? null : fieldOf(type, type.primary),
    others: widgetFields(type).filter(({ name }) => name !== type.primary),
    quality,
    ageMs,
  };
}

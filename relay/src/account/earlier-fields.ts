import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { FieldTimes } from "@mulkko/shared/entities/log-entry";
import { LiveReading } from "@mulkko/shared/live/devices";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import type { StateValue } from "../store/streams.ts";
import type { Reading } from "./normalise-reading.ts";

/**
 * The displayed state of a sensor after a reading: the newest value of each field, with the times of older
 * ones.
 */
export interface ShownReading {
  readonly reading: LiveReading;
  readonly fieldTimes: FieldTimes | null;
}

/**
 * Keep the value and the time of each field that a newer reading lacks.
 * @param known the sensor's value before the reading
 */
export function withEarlierFields({ values, fieldTimes }: Reading, known: StateValue): ShownReading {
  const before = parse(LiveReading, known.reading);
  const at = parse(Instant, known.at);
  if (!before.ok || !at.ok) return { reading: values, fieldTimes };
  const timesBefore = parse(FieldTimes, known.fieldTimes);
  const reading: Record<string, LiveReading[string]> = { ...values };
  const times: Record<string, string> = { ...fieldTimes };
  for (const [name, value] of Object.entries(before.value)) {
    if (value === null || (reading[name] ?? null) !== null) continue;
    if (isFieldName(name)) {
      reading[name] = value;
      times[name] = (timesBefore.ok ? timesBefore.value[name] : undefined) ?? at.value;
    } else if (name === "rssi" || name === "fwversion") {
      reading[name] = value;
    }
  }
  return { reading, fieldTimes: Object.keys(times).length === 0 ? null : times };
}

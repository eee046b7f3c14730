import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { memo, useCallback } from "react";
import { useAge, useLivePart, useShownQuality } from "../live/hooks.ts";
import { QualityMark } from "../ui/reading/quality-mark.tsx";
import { ReadingValue, type ReadingValueProps } from "../ui/reading/reading-value.tsx";
import { fieldFormat, readingNumber } from "./reading.ts";

const qualityOf = (value: SensorValue | undefined) => value?.quality ?? null;
const heardAtOf = (value: SensorValue | undefined) => value?.heardAt ?? null;

export interface LiveReadingProps {
  id: string;
  field: FieldSpec;
  /** Cards show temperatures as whole numbers. */
  where: "card" | "log";
  size?: ReadingValueProps["size"];
}

/** One measurement of a sensor, followed: a reading draws this number anew and nothing around it. */
export const LiveReading = memo(function LiveReading({
  id,
  field,
  where,
  size = "reading",
}: LiveReadingProps) {
  const value = useLivePart(
    "sensor",
    id,
    useCallback(
      (sensor: SensorValue | undefined) => readingNumber(sensor?.reading, field.name),
      [field.name],
    ),
  );
  const quality = useShownQuality(useLivePart("sensor", id, qualityOf));
  return (
    <ReadingValue
      value={value}
      format={fieldFormat(field, where)}
      unit={field.unit}
      quality={quality}
      size={size}
    />
  );
});

/** How far a sensor can be believed and since when it is silent, followed. */
export const LiveMark = memo(function LiveMark({ id, words = false }: { id: string; words?: boolean }) {
  const quality = useShownQuality(useLivePart("sensor", id, qualityOf));
  const ageMs = useAge(useLivePart("sensor", id, heardAtOf));
  return <QualityMark quality={quality} ageMs={ageMs} words={words} />;
});

/** A sensor's quality as it is drawn, followed. */
export function useSensorQuality(id: string) {
  return useShownQuality(useLivePart("sensor", id, qualityOf));
}

import { formatReading } from "@mulkko/shared/rules/format";
import { Link } from "react-router-dom";
import { fieldFormat, readingNumber } from "../../farm/reading.ts";
import { useLabels } from "../../i18n/labels.ts";
import { SensorIcon } from "../../ui/icon/icons.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { ReadingValue } from "../../ui/reading/reading-value.tsx";
import { useSensor } from "./use-sensor.ts";

/** Most further values under a row's name. */
const FURTHER = 2;

/** One sensor on a phone: photo, name, reading, age. */
export function SensorRow({ id }: { id: string }) {
  const labels = useLabels();
  const sensor = useSensor(id);
  if (!sensor) return null;
  const { value, name, primary, others, quality, ageMs } = sensor;
  const further = others.slice(0, FURTHER).map((field) => {
    const text = formatReading(readingNumber(value.reading, field.name), fieldFormat(field, "card"));
    return `${labels.field(field.name)} ${text}${field.unit === "" ? "" : ` ${field.unit}`}`;
  });
  return (
    <Link
      className="sensor-row"
      to={`/sensors/type?id=${encodeURIComponent(id)}`}
      data-quality={quality ?? "never"}
    >
      <span className="sensor-row__photo">
        {value.info.imagePath ? (
          <img src={value.info.imagePath} alt="" loading="lazy" />
        ) : (
          <SensorIcon size={22} />
        )}
      </span>
      <span className="sensor-row__text">
        <span className="sensor-row__name">{name}</span>
        <span className="sensor-row__further">{further.join(" · ")}</span>
      </span>
      <span className="sensor-row__value">
        {primary && (
          <ReadingValue
            value={readingNumber(value.reading, primary.name)}
            format={fieldFormat(primary, "card")}
            unit={primary.unit}
            quality={quality}
            size="title"
          />
        )}
        <QualityMark quality={quality} ageMs={ageMs} />
      </span>
    </Link>
  );
}

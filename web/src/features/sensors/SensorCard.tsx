import { Link } from "react-router-dom";
import { useSensor } from "../../domain/device/use-sensor.ts";
import { logPath } from "../../domain/farm/device-paths.ts";
import { LiveReading } from "../../domain/reading/LiveReading.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { TileFrame } from "../../domain/reading/reading-tile.tsx";
import { Sparkline } from "../../domain/reading/sparkline.tsx";
import { StressMark } from "../../domain/reading/stress-mark.tsx";
import { useLabels } from "../../i18n/labels.ts";

/** Sensor card on a desktop: the primary measurement with its last 24 hours, and the others. */
export function SensorCard({ id, trend }: { id: string; trend: readonly (number | null)[] | undefined }) {
  const labels = useLabels();
  const sensor = useSensor(id);
  if (!sensor) return null;
  const { value, name, type, primary, others, quality, ageMs } = sensor;
  return (
    <Link className="tile-link sensor-card" to={logPath(id)}>
      <TileFrame
        label={<span className="sensor-card__name">{name}</span>}
        mark={<QualityMark quality={quality} ageMs={ageMs} />}
        quality={quality}
        foot={
          <span className="sensor-card__foot">
            <span className="sensor-card__trend">{trend && <Sparkline values={trend} />}</span>
            <span className="sensor-card__others">
              {others.map((field) => (
                <span key={field.name} className="sensor-card__other">
                  <span className="sensor-card__label">{labels.field(field.name)}</span>
                  <LiveReading id={id} field={field} where="card" size="body" />
                </span>
              ))}
            </span>
          </span>
        }
      >
        <span className="sensor-card__primary">
          <span className="sensor-card__label">
            {primary ? labels.field(primary.name) : labels.deviceType(type.type)}
          </span>
          {primary && <LiveReading id={id} field={primary} where="card" />}
          {primary?.name === "stress" && <StressMark stress={readingNumber(value.reading, "stress")} />}
        </span>
      </TileFrame>
    </Link>
  );
}

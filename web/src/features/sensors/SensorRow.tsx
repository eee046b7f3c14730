import { fieldQuality } from "@mulkko/shared/rules/quality";
import { RadioIcon, Settings2Icon } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { Photo } from "../../components/photo.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { readingNumber, shownReading } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { ValueScale } from "../../domain/reading/value-scale.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { type ShownSensor, useSensor } from "./use-sensor.ts";

/** Maximum number of further values below a row's name. */
const FURTHER = 3;

export interface SensorRowProps {
  id: string;
  /** State of its checkbox; null without a checkbox. */
  checked: boolean | null;
  /** Reason why it cannot be selected. */
  refused: string | null;
  /** True if its latest values are shown beside the list. */
  open: boolean;
  onToggle: (id: string) => void;
  /** Called on a click on the row; without it, the click opens the sensor's log. */
  onOpen?: ((id: string) => void) | undefined;
}

/** One sensor: checkbox, photo, name, serial, description, readings, age, settings. */
export const SensorRow = memo(function SensorRow(props: SensorRowProps) {
  const { id, checked, refused, open, onToggle, onOpen } = props;
  const { t } = useTranslation("sensors");
  const sensor = useSensor(id);
  if (!sensor) return null;
  const { name, quality } = sensor;
  const to = encodeURIComponent(id);
  return (
    <div
      className="sensor-row"
      data-testid="sensor-row"
      data-quality={quality ?? "never"}
      data-open={open || undefined}
    >
      {checked !== null && (
        <label className="sensor-row__box" title={refused ?? undefined}>
          <input
            type="checkbox"
            checked={checked}
            disabled={refused !== null}
            aria-label={t("select.one", { name })}
            onChange={() => onToggle(id)}
          />
        </label>
      )}
      {onOpen ? (
        <button type="button" className="sensor-row__main" aria-pressed={open} onClick={() => onOpen(id)}>
          <RowContent sensor={sensor} />
        </button>
      ) : (
        <Link className="sensor-row__main" to={`/sensors/type?id=${to}`}>
          <RowContent sensor={sensor} />
        </Link>
      )}
      <OwnLink
        className="sensor-row__settings"
        to={`/sensors/edit?id=${to}`}
        aria-label={t("edit", { name })}
        title={t("edit", { name })}
      >
        <Settings2Icon size={20} />
      </OwnLink>
    </div>
  );
});

function RowContent({ sensor }: { sensor: ShownSensor }) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const { value, name, primary, others, quality, ageMs } = sensor;
  const { info, reading } = value;
  const further = others.slice(0, FURTHER).map((field) => {
    const { text, unit } = shownReading(field, readingNumber(reading, field.name), "card", t);
    return [labels.field(field.name), text, unit].filter(Boolean).join(" ");
  });
  return (
    <>
      <span className="sensor-row__photo">
        <Photo path={info.imagePath} icon={<RadioIcon size={22} />} lazy />
      </span>
      <span className="sensor-row__text">
        <span className="sensor-row__name">{name}</span>
        <span className="sensor-row__who">
          {[`${info.serial ?? "--"}`, info.description?.trim()].filter(Boolean).join(" · ")}
        </span>
      </span>
      <span className="sensor-row__further">{further.join(" · ")}</span>
      <span className="sensor-row__value">
        {primary && (
          <ReadingValue
            value={readingNumber(reading, primary.name)}
            field={primary}
            where="card"
            quality={fieldQuality(quality, value, primary.name)}
            size="title"
          />
        )}
        {primary?.name === "moisture" && (
          <ValueScale value={readingNumber(reading, primary.name)} field={primary} small />
        )}
        <QualityMark quality={quality} ageMs={ageMs} />
      </span>
    </>
  );
}

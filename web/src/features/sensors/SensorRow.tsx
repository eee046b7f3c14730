import { RadioIcon } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { DeviceRow } from "../../domain/device/device-row.tsx";
import { useSensor } from "../../domain/device/use-sensor.ts";
import { logPath } from "../../domain/farm/device-paths.ts";
import { LiveReading } from "../../domain/reading/LiveReading.tsx";
import { readingNumber, shownReading } from "../../domain/reading/reading.ts";
import { useLabels } from "../../i18n/labels.ts";

/** Maximum number of further values below a row's name. */
const FURTHER = 3;

interface SensorRowProps {
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
  const { t: common } = useTranslation("common");
  const labels = useLabels();
  const sensor = useSensor(id);
  if (!sensor) return null;
  const { name, quality, value, primary, others, ageMs } = sensor;
  const { info, reading } = value;
  const further = others.slice(0, FURTHER).map((field) => {
    const { text, unit } = shownReading(field, readingNumber(reading, field.name), "card", common);
    return [labels.field(field.name), text, unit].filter(Boolean).join(" ");
  });
  return (
    <DeviceRow
      testId="sensor-row"
      name={name}
      about={[[info.serial ?? "--", info.description?.trim()]]}
      imagePath={info.imagePath}
      icon={<RadioIcon size={22} />}
      quality={quality}
      ageMs={ageMs}
      to={logPath(id)}
      onOpen={onOpen && (() => onOpen(id))}
      marked={open}
      choice={
        checked === null
          ? null
          : {
              checked,
              disabled: refused !== null,
              label: t("select.one", { name }),
              title: refused ?? undefined,
              onToggle: () => onToggle(id),
            }
      }
      edit={{ to: `/sensors/edit?id=${encodeURIComponent(id)}`, label: t("edit", { name }) }}
      further={further.join(" · ")}
    >
      {primary && <LiveReading id={id} field={primary} where="card" size="title" band="small" />}
    </DeviceRow>
  );
});

import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { deviceName } from "../../farm/device-name.ts";
import { fieldFormat, readingNumber } from "../../farm/reading.ts";
import { useAge, useLive, useShownQuality } from "../../live/hooks.ts";
import { Card } from "../../ui/layout/card.tsx";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { ReadingValue } from "../../ui/reading/reading-value.tsx";

/** The sensors that sit on a channel, live. */
export function ChannelSensors({ ids }: { ids: readonly (string | number)[] }) {
  const { t } = useTranslation("controller");
  return (
    <Card title={t("sensors")} flush>
      {ids.length === 0 ? (
        <p className="panel__none">{t("noSensors")}</p>
      ) : (
        <ul className="panel__sensors">
          {ids.map((id) => (
            <li key={id}>
              <SensorLine id={id} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function SensorLine({ id }: { id: string | number }) {
  const value = useLive("sensor", id);
  const quality = useShownQuality(value?.quality ?? null);
  const ageMs = useAge(value?.heardAt ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  const field = fieldOf(type, type.primary);
  return (
    <Link className="panel__sensor" to={`/sensors/type?id=${encodeURIComponent(id)}`}>
      <span className="panel__sensor-name">{deviceName(value.info)}</span>
      <ReadingValue
        value={readingNumber(value.reading, field.name)}
        format={fieldFormat(field, "log")}
        unit={field.unit}
        quality={quality}
        size="body"
      />
      <QualityMark quality={quality} ageMs={ageMs} />
    </Link>
  );
}

import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { byName, deviceName } from "../../farm/device-name.ts";
import { fieldFormat, readingNumber } from "../../farm/reading.ts";
import type { TrendSensor } from "../../farm/trends.ts";
import { useTrends } from "../../farm/use-trends.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useAge, useLive, useLiveSelection, useShownQuality } from "../../live/hooks.ts";
import { ReadingTile } from "../../ui/reading/reading-tile.tsx";

const SENSORS = ["sensor"] as const;

/** The sensors that this person keeps in view, as `id type` by name, which a selection can compare. */
function widgetKeys({ sensors }: LiveFarm): string {
  return [...sensors]
    .filter(([, { info }]) => info.widget === true && info.deviceType !== "COT")
    .map(([id, { info }]) => ({ key: `${id} ${info.deviceType}`, name: deviceName(info) }))
    .sort(byName)
    .map(({ key }) => key)
    .join(",");
}

/** Readings that this person keeps in view, live, with their last 24 hours. */
export function WidgetTiles() {
  const { t } = useTranslation("dashboard");
  const keys = useLiveSelection(SENSORS, useCallback(widgetKeys, []));
  const sensors = useMemo<TrendSensor[]>(
    () =>
      keys.split(",").flatMap((key) => {
        const [id, deviceType] = key.split(" ");
        return id && deviceType ? [{ id, deviceType }] : [];
      }),
    [keys],
  );
  const trends = useTrends(sensors);
  return (
    <section className="widgets" aria-label={t("widgets")}>
      {sensors.length === 0 && <p className="dashboard__none">{t("noWidgets")}</p>}
      <ul className="widgets__tiles">
        {sensors.map(({ id }) => (
          <li key={id}>
            <WidgetTile id={id} trend={trends.get(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function WidgetTile({ id, trend }: { id: string; trend: readonly (number | null)[] | undefined }) {
  const labels = useLabels();
  const value = useLive("sensor", id);
  const quality = useShownQuality(value?.quality ?? null);
  const ageMs = useAge(value?.heardAt ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  const field = fieldOf(type, type.primary);
  return (
    <Link className="widgets__tile" to={`/sensors/type?id=${encodeURIComponent(id)}`}>
      <ReadingTile
        label={`${deviceName(value.info)} · ${labels.field(field.name)}`}
        value={readingNumber(value.reading, field.name)}
        format={fieldFormat(field, "log")}
        unit={field.unit}
        quality={quality}
        ageMs={ageMs}
        {...(trend ? { trend } : {})}
      />
    </Link>
  );
}

import type { TrendSensor } from "../../farm/trends.ts";
import { useTrends } from "../../farm/use-trends.ts";
import { useWidgets } from "../../farm/use-widgets.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { OwnLink } from "../../reading/OwnLink.tsx";
import { SensorHillside } from "../../ui/scenes/sensor-hillside.tsx";
import { SensorCard } from "./SensorCard.tsx";

const NONE: readonly TrendSensor[] = [];

/**
 * The sensors that this person keeps in view, with all that their cards show.
 *
 * @param low in a row over the list: cards have no room for their lines, which are not asked for then
 */
export function WidgetCards({ low }: { low: boolean }) {
  const { t } = useTranslation("sensors");
  const widgets = useWidgets();
  const trends = useTrends(low ? NONE : widgets);
  return (
    <section className="sensors__widgets" aria-label={t("widgets.title")}>
      {widgets.length === 0 ? (
        <div className="sensors__no-widgets">
          <span className="sensors__scene">
            <SensorHillside align="xMidYMax" />
          </span>
          <strong>{t("title")}</strong>
          <p>{t("widgets.none")}</p>
          <OwnLink className="sensors__link" to="/listadd">
            {t("add")}
          </OwnLink>
        </div>
      ) : (
        <ul>
          {widgets.map(({ id }) => (
            <li key={id}>
              <SensorCard id={id} trend={trends.get(id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

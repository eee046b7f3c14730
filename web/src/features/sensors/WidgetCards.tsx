import { useTranslation } from "react-i18next";
import { SensorHillside } from "../../components/scenes/sensor-hillside.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useWidgets } from "../../domain/farm/use-widgets.ts";
import type { SparklineSensor } from "../../domain/reading/sparklines.ts";
import { useSparklines } from "../../domain/reading/use-sparklines.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { SensorCard } from "./SensorCard.tsx";

const NONE: readonly SparklineSensor[] = [];

/**
 * Cards of the sensors that the user has put on the dashboard.
 *
 * @param low true in a row above the list: its cards have no sparklines, and none are requested
 */
export function WidgetCards({ low }: { low: boolean }) {
  const { t } = useTranslation("sensors");
  const widgets = useWidgets();
  const trends = useSparklines(low ? NONE : widgets);
  return (
    <section className="sensors__widgets" aria-label={t("widgets.title")}>
      {widgets.length === 0 ? (
        <div className="sensors__no-widgets">
          <span className="sensors__scene">
            <SensorHillside align="xMidYMax" />
          </span>
          <strong>{t("title")}</strong>
          <p>{t("widgets.none")}</p>
          <TextLink component={OwnLink} look={{ textStyle: "label" }} to="/listadd">
            {t("add")}
          </TextLink>
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

import { Link } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import { LatestBadges } from "../../log/LatestBadges.tsx";
import { useSensor } from "./use-sensor.ts";

/** Show the latest values of the last selected sensor and a link to its log. */
export function LatestPanel({ id }: { id: string }) {
  const { t } = useTranslation("sensors");
  const sensor = useSensor(id);
  if (!sensor) return null;
  return (
    <section className="latest" aria-label={t("latest", { name: sensor.name })}>
      <div className="latest__head">
        <h2>{sensor.name}</h2>
        <Link className="sensors__link" to={`/sensors/type?id=${encodeURIComponent(id)}`}>
          {t("select.done")}
        </Link>
      </div>
      <LatestBadges id={id} />
    </section>
  );
}

import { Grid } from "@chakra-ui/react";
import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useClaim } from "../../api/knowledge.ts";
import { CardNote } from "../../components/card.tsx";
import { useWidgets } from "../../domain/farm/use-widgets.ts";
import { LiveMark, LiveReading, useSensorQuality } from "../../domain/reading/LiveReading.tsx";
import { TileFrame } from "../../domain/reading/reading-tile.tsx";
import { Sparkline } from "../../domain/reading/sparkline.tsx";
import { useSparklines } from "../../domain/reading/use-sparklines.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLivePart } from "../../live/hooks.ts";

const COLUMNS = {
  gridTemplateColumns: "repeat(auto-fill, minmax(14rem, 1fr))",
  "[data-surface=phone] &": {
    gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
    "@media (max-width: 22rem)": { gridTemplateColumns: "minmax(0, 1fr)" },
  },
};

/** Show the readings that the user has put on the dashboard, live, with their last 24 hours. */
export function WidgetTiles() {
  const { t } = useTranslation("dashboard");
  const claim = useClaim();
  const sensors = useWidgets();
  const trends = useSparklines(sensors);
  return (
    <section aria-label={t("widgets")}>
      {sensors.length === 0 && <CardNote>{claim(t("noWidgets"))}</CardNote>}
      <Grid as="ul" gap="3" css={COLUMNS}>
        {sensors.map(({ id }) => (
          <li key={id}>
            <WidgetTile id={id} trend={trends.get(id)} />
          </li>
        ))}
      </Grid>
    </section>
  );
}

const infoOf = (value: SensorValue | undefined) => value?.info;
const primaryOf = (value: SensorValue | undefined) =>
  value && deviceTypeOf(value.info.deviceType, value.reading ?? {}).primary;

/** The frame does not re-render; the number and the age in it follow the sensor. */
const WidgetTile = memo(function WidgetTile(props: {
  id: string;
  trend: readonly (number | null)[] | undefined;
}) {
  const { id, trend } = props;
  const labels = useLabels();
  const info = useLivePart("sensor", id, infoOf);
  const primary = useLivePart("sensor", id, primaryOf);
  const quality = useSensorQuality(id);
  if (!info || primary === undefined) return null;
  const field = fieldOf(deviceTypeOf(info.deviceType), primary);
  return (
    <Link className="tile-link" data-testid="widget" to={`/sensors/type?id=${encodeURIComponent(id)}`}>
      <TileFrame
        label={deviceName(info)}
        sublabel={labels.field(field.name)}
        quality={quality}
        mark={<LiveMark id={id} />}
        foot={trend && <Sparkline values={trend} />}
      >
        <LiveReading id={id} field={field} where="card" band="full" />
      </TileFrame>
    </Link>
  );
});

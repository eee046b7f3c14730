import "./trends-page.css";
import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import { fetchHistory } from "../../api/history.ts";
import { type Bucket, bucketsOf } from "../../domain/chart/bucket.ts";
import {
  type ChartMarks,
  type ChartSeries,
  leastSpanOf,
  type SeriesColor,
} from "../../domain/chart/chart-model.ts";
import ChartView from "../../domain/chart/chart-view.tsx";
import { LiveMark, LiveReading } from "../../domain/reading/LiveReading.tsx";
import { useSensorBand } from "../../domain/reading/sensor-band.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useIsLive, useLivePart, useLiveSelection, useServerNow } from "../../live/hooks.ts";
import { NameLine } from "../NameLine.tsx";
import { usePolled } from "../use-polled.ts";
import { useElementSize } from "../use-viewport.ts";
import { useWall, type WallPageProps } from "../wall-context.ts";
import { Empty } from "./Empty.tsx";
import { fillOverview, sameTiles, sparklineSensors } from "./overview.ts";

const HOURS = 24;
/** Five minutes each: enough for the width of a wall's line. */
const BUCKETS = 288;
const REFRESH_MS = 60_000;

/** A day of one measurement. `step` is the time between buckets, seconds. */
interface Day {
  readonly state: "asking" | "there" | "failed";
  readonly buckets: readonly Bucket[];
  readonly step: number;
}

const ASKING: Day = { state: "asking", buckets: [], step: (HOURS * 3600) / BUCKETS };

/** Return the last 24 hours of a measurement, refetched every minute. */
function useDay(id: string, field: string): Day {
  const now = useServerNow();
  const live = useIsLive();
  const ask = useCallback(
    async (rest: RestClient, signal: AbortSignal): Promise<Day | null> => {
      const to = now();
      const range = {
        sources: [{ id }],
        fields: [field],
        from: to - HOURS * 3_600_000,
        to,
        buckets: BUCKETS,
      };
      const { series } = await fetchHistory(rest, range, signal);
      const [own] = series;
      return own ? { state: "there", buckets: bucketsOf(own, field), step: own.step / 1000 } : null;
    },
    [now, id, field],
  );
  const { value, failed } = usePolled(live ? ask : null, REFRESH_MS);
  return value ?? (failed ? { ...ASKING, state: "failed" } : ASKING);
}

const KINDS = ["sensor.listing", "controller.listing", "channel", "alarm"] as const;
/** Limit: more than a farm rotates through in a day. */
const MOST = 60;
/** Least height of a pane with its gap, px of the drawn screen. */
const PANE_PX = 260;
const PANES_AT_MOST = 2;
/** Height below which a line says nothing, px of the drawn screen: the number stands alone. */
const LEAST_CHART_PX = 110;
const COLORS: readonly SeriesColor[] = ["teal", "brown"];

/** Return how many charts a height has room for, px of the drawn screen: two, or one that can be read. */
export const panesIn = (height: number): number =>
  Math.min(PANES_AT_MOST, Math.max(1, Math.floor(height / PANE_PX)));

/** Show the last 24 hours of two sensors, one above the other; the next two on the next lap. */
export default function TrendsPage({ lap }: WallPageProps) {
  const { factor } = useWall();
  const [ref, size] = useElementSize<HTMLDivElement>();
  return (
    <div className="wall-trends" ref={ref}>
      {size && <Panes panes={panesIn(size.height / factor)} lap={lap} />}
    </div>
  );
}

function Panes({ panes, lap }: { panes: number; lap: number }) {
  const { t } = useTranslation("wall");
  const { settings } = useWall();
  const chosen = settings.tiles?.map(String) ?? null;
  const filled = useLiveSelection(KINDS, (farm) => fillOverview(farm, MOST, 0, chosen), sameTiles);
  const sensors = useMemo(() => sparklineSensors(filled.tiles), [filled]);
  const start = sensors.length > panes ? (lap * panes) % sensors.length : 0;
  const shown = [...sensors, ...sensors].slice(start, start + Math.min(panes, sensors.length));
  if (shown.length === 0) return <Empty>{t("trends.none")}</Empty>;
  return shown.map(({ id, deviceType }, index) => (
    <Pane key={id} id={id} fieldName={deviceTypeOf(deviceType).primary} color={COLORS[index] ?? "slate"} />
  ));
}

const infoOf = (value: SensorValue | undefined) => value?.info;

function Pane({ id, fieldName, color }: { id: string; fieldName: string; color: SeriesColor }) {
  const { t } = useTranslation("wall");
  const labels = useLabels();
  const { settings, texts, narrow, factor } = useWall();
  const [ref, size] = useElementSize<HTMLDivElement>();
  const info = useLivePart("sensor", id, infoOf);
  const field = fieldOf(deviceTypeOf(info?.deviceType ?? ""), fieldName);
  const day = useDay(id, fieldName);
  const series = useMemo<readonly ChartSeries[]>(
    () => [
      {
        id,
        color,
        decimals: field.decimals,
        ...(field.scale === undefined ? {} : { scale: field.scale }),
        leastSpan: leastSpanOf(field),
        banded: field.circular !== true,
      },
    ],
    [id, color, field],
  );
  const buckets = useMemo(() => ({ [id]: day.buckets }), [id, day.buckets]);
  const band = useSensorBand(id, fieldName);
  const marks = useMemo<Readonly<Record<string, ChartMarks>>>(
    () => ({ [id]: { waterings: [], bounds: band && { lower: band.low, upper: band.high } } }),
    [id, band],
  );
  const name = info ? deviceName(info) : "";
  const measured = labels.field(field.name);
  return (
    <section className="wall-trend" data-testid="wall-trend">
      <div className="wall-trend__head">
        <h2>
          <NameLine about={`sensor:${id}`} name={name} measured={measured} short={narrow} />
        </h2>
        <LiveMark id={id} brief />
        <LiveReading id={id} field={field} where="log" />
      </div>
      <div className="wall-trend__chart" ref={ref}>
        {day.state === "failed" && (
          <p className="wall-empty" data-testid="wall-empty">
            {t("trends.failed")}
          </p>
        )}
        {day.state === "there" && size && size.height >= LEAST_CHART_PX * factor && (
          <ChartView
            series={series}
            buckets={buckets}
            step={day.step}
            zone={texts.zone}
            language={settings.language}
            layout="overlay"
            marks={marks}
            height={size.height}
            label={t("trends.label", { name, field: measured })}
          />
        )}
      </div>
    </section>
  );
}

import { useMemo, useState } from "react";
import { useLabels } from "../i18n/labels.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { Bucket } from "../ui/chart/bucket.ts";
import { emptyBucket } from "../ui/chart/bucket.ts";
import { Chart } from "../ui/chart/chart.tsx";
import { ChartLegend } from "../ui/chart/chart-legend.tsx";
import type { ChartLayout } from "../ui/chart/chart-model.ts";
import { seriesColors } from "../ui/chart/series-colors.ts";
import { ChoiceSegments } from "../ui/form/choice-segments.tsx";
import { Card } from "../ui/layout/card.tsx";

const STEP = 600;
const FIELDS = ["moisture", "temperature", "ec", "l"];
const COLORS = seriesColors(FIELDS);

const week = (middle: number, swing: number, phase: number): Bucket[] =>
  Array.from({ length: 600 }, (_, i) => {
    const t = Math.floor(Date.UTC(2026, 10, 14) / 1000) + i * STEP;
    if (i > 210 && i < 260) return emptyBucket(t);
    const avg = middle + swing * Math.sin((i + phase) / 23) + swing * 0.2 * Math.sin(i * 0.7);
    const spread = swing * (0.25 + 0.2 * Math.abs(Math.sin(i * 1.3)));
    return { t, count: 12, min: avg - spread, max: avg + spread, avg, last: avg };
  });

/** Show bands, gaps and axes. */
export function ChartSection() {
  const { t, i18n } = useTranslation("common");
  const { field } = useLabels();
  const [layout, setLayout] = useState<ChartLayout>("overlay");
  const [promoted, setPromoted] = useState("moisture");
  const [under, setUnder] = useState<ReadonlyMap<string, number>>(new Map());
  const series = useMemo(
    () => FIELDS.map((id, i) => ({ id, color: COLORS[i] ?? ("teal" as const), decimals: 1 })),
    [],
  );
  const buckets = useMemo(
    () => ({
      moisture: week(30, 5, 0),
      temperature: week(19, 7, 40),
      ec: week(1.8, 0.3, 90),
      l: week(140, 20, 10),
    }),
    [],
  );
  return (
    <Card
      title={t("deviceType.SSH")}
      aside={
        <ChoiceSegments
          label={t("chart.overlay")}
          value={layout}
          onChoose={setLayout}
          choices={[
            { value: "overlay", label: t("chart.overlay") },
            { value: "stacked", label: t("chart.stacked") },
          ]}
        />
      }
    >
      <ChartLegend
        promoted={promoted}
        onPromote={setPromoted}
        items={series.map(({ id, color }) => ({
          id,
          color,
          label: field(id),
          text: under.get(id)?.toFixed(1) ?? "",
        }))}
      />
      <Chart
        series={series}
        buckets={buckets}
        step={STEP}
        zone="Asia/Seoul"
        language={i18n.language}
        layout={layout}
        promoted={promoted}
        height={350}
        label={t("reading.trend")}
        onCrosshair={(reading) => setUnder(reading?.values ?? new Map())}
      />
    </Card>
  );
}

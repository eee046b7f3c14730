import type { ChartCard, DeviceType } from "@mulkko/shared/catalogue/device-type";
import { fieldOf } from "@mulkko/shared/catalogue/registry";
import type { LiveReading } from "@mulkko/shared/live/devices";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { formatReading } from "@mulkko/shared/rules/format";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldFormat, readingNumber } from "../../farm/reading.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { ChartLegend } from "../../ui/chart/chart-legend.tsx";
import type { ChartLayout, ChartSeries, CrosshairReading, YRange } from "../../ui/chart/chart-model.ts";
import type { ChartHandle } from "../../ui/chart/chart-view.tsx";
import { seriesColors } from "../../ui/chart/series-colors.ts";
import { ChoiceSegments } from "../../ui/form/choice-segments.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { useSurface } from "../../ui/theme/use-surface.ts";
import { bridgeAll } from "./bridge.ts";
import type { LogData } from "./log-data.ts";
import { StatisticsTable } from "./StatisticsTable.tsx";
import type { Log } from "./use-log-data.ts";
import { YRangeButton } from "./YRangeButton.tsx";

export interface LogCardProps {
  card: ChartCard;
  type: DeviceType;
  /** The device's name. */
  title: string;
  data: LogData;
  statistics: Readonly<Record<string, FieldStatistics>>;
  reading: LiveReading | null;
  onMerge: Log["onMerge"];
  current: Log["current"];
}

/** Lines that a desktop shows over each other without being asked; more than these stand under each other. */
const OVERLAID = 2;

/** One chart with its lines, live, and their statistics. A phone shows one line at a time. */
export function LogCard({ card, type, title, data, statistics, reading, onMerge, current }: LogCardProps) {
  const { t, i18n } = useTranslation(["sensor-log", "common"]);
  const labels = useLabels();
  const words = useTimeWords();
  const phone = useSurface() === "phone";
  const [layout, setLayout] = useState<ChartLayout>(card.fields.length > OVERLAID ? "stacked" : "overlay");
  const [chosen, setChosen] = useState(card.fields[0] ?? "");
  const [ranges, setRanges] = useState<Readonly<Record<string, YRange | null>>>({});
  const [crosshair, setCrosshair] = useState<CrosshairReading | null>(null);
  const chart = useRef<ChartHandle>(null);

  const all = useMemo<ChartSeries[]>(() => {
    const colors = seriesColors(card.fields);
    return card.fields.map((name, index) => {
      const field = fieldOf(type, name);
      return {
        id: name,
        color: colors[index] ?? "slate",
        decimals: field.decimals,
        banded: field.circular !== true,
        ...(field.scale === undefined ? {} : { scale: field.scale }),
      };
    });
  }, [card, type]);
  const series = useMemo(() => (phone ? all.filter(({ id }) => id === chosen) : all), [phone, all, chosen]);
  // A chart that changes its lines is given everything that came meanwhile; between that, live buckets are merged
  // into it without drawing the page.
  const lists = useMemo(
    () => (series.length > 0 ? (current() ?? bridgeAll(data.buckets)) : {}),
    [data, series, current],
  );
  useEffect(
    () =>
      onMerge((buckets) => {
        for (const [field, list] of Object.entries(buckets)) chart.current?.mergeBuckets(field, list);
      }),
    [onMerge],
  );
  const names = phone ? [chosen] : card.fields;

  const textOf = (name: string): string => {
    const field = fieldOf(type, name);
    const under = crosshair?.values.get(name);
    const text =
      under === undefined
        ? formatReading(readingNumber(reading, name), fieldFormat(field, "log"))
        : under.toFixed(field.decimals);
    return field.unit === "" || text === "--" ? text : `${text} ${field.unit}`;
  };
  const single = card.fields.length === 1 ? card.fields[0] : undefined;
  return (
    <Card
      title={single === undefined ? title : labels.field(single)}
      aside={
        <span className="log-card__aside">
          {single !== undefined && <strong className="log-card__now">{textOf(single)}</strong>}
          {crosshair && <span className="log-card__time">{words.dayTime(crosshair.instant * 1000)}</span>}
          {!phone && card.fields.length > 1 && (
            <ChoiceSegments
              label={t("layout")}
              value={layout}
              choices={[
                { value: "overlay", label: t("common:chart.overlay") },
                { value: "stacked", label: t("common:chart.stacked") },
              ]}
              onChoose={setLayout}
            />
          )}
          <YRangeButton
            fields={names.map((name) => ({ name, label: labels.field(name) }))}
            ranges={ranges}
            onChange={(name, range) => setRanges({ ...ranges, [name]: range })}
          />
        </span>
      }
    >
      {single === undefined && (
        <ChartLegend
          items={card.fields.map((name, index) => ({
            id: name,
            label: labels.field(name),
            color: all[index]?.color ?? "slate",
            text: textOf(name),
          }))}
          promoted={chosen}
          onPromote={setChosen}
        />
      )}
      {names.every((name) => !data.buckets[name]?.some(({ count }) => count > 0)) && (
        <p className="log-card__empty">{t("common:chart.empty")}</p>
      )}
      <Chart
        ref={chart}
        series={series}
        buckets={lists}
        step={data.step / 1000}
        zone={words.zone}
        language={i18n.language}
        layout={phone ? "overlay" : layout}
        promoted={chosen}
        ranges={ranges}
        height={phone ? 260 : type.chartHeight}
        label={card.fields.map((name) => labels.field(name)).join(", ")}
        onCrosshair={setCrosshair}
      />
      <StatisticsTable type={type} fields={names} statistics={statistics} />
    </Card>
  );
}

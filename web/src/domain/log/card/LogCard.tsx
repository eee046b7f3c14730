import "../../chart/legend-button.css";
import "./watering-legend.css";
import { Button, chakra, Text } from "@chakra-ui/react";
import type { Watering } from "@mulkko/shared/live/watering";
import type { FieldStatistics } from "@mulkko/shared/rest/log";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../components/card.tsx";
import { ChoiceSegments } from "../../../components/choice.tsx";
import { useLabels } from "../../../i18n/labels.ts";
import { useMedia } from "../../../theme/use-media.ts";
import { useSurface } from "../../../theme/use-surface.ts";
import { Chart } from "../../chart/chart.tsx";
import { ChartLegend } from "../../chart/chart-legend.tsx";
import type { ChartLayout, ChartSeries, CrosshairReading, ViewedRange } from "../../chart/chart-model.ts";
import type { ChartHandle } from "../../chart/chart-view.tsx";
import { readingNumber, shownReading } from "../../reading/reading.ts";
import { useTimeWords } from "../../time/use-time-words.ts";
import { spanWords, useWateringWords } from "../../watering/watering-words.ts";
import { bridgeLines } from "../data/bridge-lines.ts";
import type { LogData } from "../data/log-data.ts";
import type { Log } from "../data/use-log-data.ts";
import { CardDownloads } from "../export/CardDownloads.tsx";
import type { Span } from "../range/range.ts";
import { useLiveReading } from "../sources/use-live-reading.ts";
import { VALVE, valveWord } from "../valve-word.ts";
import { wateringAt } from "../waterings/shown-waterings.ts";
import { type BoardCard, type BoardLine, firstLayout } from "./board-cards.ts";
import type { CardBus } from "./card-bus.ts";
import { cardTitle, lineLabel } from "./line-label.ts";
import { SeriesIcons } from "./SeriesIcons.tsx";
import { StatisticsTable } from "./StatisticsTable.tsx";
import { type CardWaterings, useCardWaterings } from "./use-card-waterings.ts";
import { useYRanges } from "./use-y-ranges.ts";
import { rangeName } from "./y-range-store.ts";

export interface LogCardProps {
  card: BoardCard;
  data: LogData;
  /** Range of the data. */
  span: Span;
  /** Null while the statistics of the range are loading. */
  statistics: Readonly<Record<string, FieldStatistics>> | null;
  onMerge: Log["onMerge"];
  current: Log["current"];
  crosshair: CardBus<number>;
  view: CardBus<ViewedRange>;
  /** True for a low chart without controls. */
  compact: boolean;
}

const PHONE_HEIGHT = 260;
const COMPACT_HEIGHT = 220;
/** A phone on its side shows a whole chart. */
const SIDEWAYS_HEIGHT = 220;
const VALVE_HEIGHT = 140;

const seriesOf = ({ id, color, turn, field }: BoardLine): ChartSeries => ({
  id,
  color,
  turn,
  decimals: field.decimals,
  banded: field.circular !== true,
  ...(field.scale === undefined ? {} : { scale: field.scale }),
  // The API sends 1 for open and 2 for closed; the chart shows the share of time open.
  ...(field.name === VALVE ? { shape: "open", scale: -1, offset: 2, banded: false } : {}),
});

/** Return the next or previous line, wrapping around. */
function neighbour(lines: readonly BoardLine[], id: string, step: -1 | 1): string {
  const place = lines.findIndex((line) => line.id === id);
  return lines.at((place + step) % lines.length)?.id ?? id;
}

/** One chart with its live lines and their statistics. A phone shows one line of a device at a time. */
export function LogCard(props: LogCardProps) {
  const { card, data, span, statistics, onMerge, current, crosshair, view, compact } = props;
  const { t, i18n } = useTranslation(["log", "common"]);
  const { t: common } = useTranslation("common");
  const labels = useLabels();
  const words = useTimeWords();
  const ranges = useYRanges();
  const phone = useSurface() === "phone";
  const [layout, setLayout] = useState<ChartLayout>(() => firstLayout(card));
  const [chosen, setChosen] = useState(card.lines[0]?.id ?? "");
  const [isZoomed, setZoomed] = useState(false);
  const [under, setUnder] = useState<CrosshairReading | null>(null);
  const chart = useRef<ChartHandle>(null);
  const promoted = card.lines.some(({ id }) => id === chosen) ? chosen : (card.lines[0]?.id ?? "");
  const alone = phone && !card.compares;

  const lines = useMemo(
    () => (alone ? card.lines.filter(({ id }) => id === promoted) : card.lines),
    [alone, card, promoted],
  );
  const series = useMemo(() => lines.map(seriesOf), [lines]);
  // A chart whose lines change gets all current buckets. Otherwise live buckets are merged into it without
  // rendering the page.
  const buckets = useMemo(
    () => (series.length > 0 ? (current() ?? bridgeLines(data.buckets)) : {}),
    [data, series, current],
  );
  useEffect(
    () =>
      onMerge((merged) => {
        for (const [line, list] of Object.entries(merged)) chart.current?.mergeBuckets(line, list);
      }),
    [onMerge],
  );
  useEffect(
    () => crosshair.listen(card.key, (instant) => setUnder(chart.current?.showCrosshair(instant) ?? null)),
    [crosshair, card.key],
  );
  useEffect(
    () =>
      view.listen(card.key, (range) => {
        if (range) chart.current?.showRange(range);
      }),
    [view, card.key],
  );
  const yRanges = Object.fromEntries(
    lines.map(({ id, type, field }) => [id, ranges.get(rangeName(type.type, field.name))]),
  );
  const rangesKey = JSON.stringify(yRanges);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text identifies the ranges
  const shownRanges = useMemo(() => yRanges, [rangesKey]);
  const water = useCardWaterings(lines, span.from);

  const title = cardTitle(card, labels);
  const [single, second] = card.lines;
  const isSingle = single !== undefined && second === undefined;
  const isValve = single?.field.name === VALVE;
  const step = data.step / 1000;
  const isLow = useMedia("(max-height: 30rem)");
  const height = isValve
    ? VALVE_HEIGHT
    : compact
      ? COMPACT_HEIGHT
      : isLow
        ? SIDEWAYS_HEIGHT
        : phone
          ? PHONE_HEIGHT
          : card.height;
  const columns = lines.map((line) => ({
    id: line.id,
    label: lineLabel(line, card, labels, common),
    field: line.field,
    color: line.color,
    turn: line.turn,
  }));
  return (
    <Card
      title={title}
      aside={
        <chakra.span
          display="inline-flex"
          flexWrap="wrap"
          alignItems="center"
          justifyContent="flex-end"
          gap="3"
        >
          {under && (
            <Text as="span" color="fg.muted" fontSize="label">
              {words.dayTime(under.instant * 1000)}
            </Text>
          )}
          {isSingle && (
            <Text as="strong" fontSize="title" fontWeight="650" data-testid="value-now">
              <LineNow line={single} under={under?.values.get(single.id)} follows={span.follows} />
            </Text>
          )}
          {isZoomed && (
            <Button size="sm" variant="outline" onClick={() => chart.current?.showAll()}>
              {t("wholeRange")}
            </Button>
          )}
          {!alone && !isSingle && !isValve && !compact && (
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
          {!isValve && !compact && (
            <SeriesIcons lines={lines} compares={card.compares} onPromote={setChosen} />
          )}
          {!compact && (
            <CardDownloads
              title={card.ofDevice && isSingle ? labels.field(single.field.name) : title}
              device={single?.device ?? title}
              lines={columns}
              current={current}
              data={data}
              picture={() => chart.current?.picture() ?? null}
            />
          )}
        </chakra.span>
      }
    >
      {!isSingle && (
        <ChartLegend
          items={card.lines.map((line) => ({
            id: line.id,
            label: lineLabel(line, card, labels, common),
            color: line.color,
            turn: line.turn,
            text: <LineNow line={line} under={under?.values.get(line.id)} follows={span.follows} />,
          }))}
          promoted={promoted}
          onPromote={setChosen}
        />
      )}
      {lines.every(({ id }) => !data.buckets[id]?.some(({ count }) => count > 0)) && (
        <Text py="2" px="0" color="fg.muted">
          {t("common:chart.empty")}
        </Text>
      )}
      <Chart
        ref={chart}
        series={series}
        buckets={buckets}
        step={step}
        zone={words.zone}
        language={i18n.language}
        layout={alone ? "overlay" : layout}
        sharedAxis={card.compares}
        promoted={promoted}
        ranges={shownRanges}
        marks={water.marks}
        height={height}
        label={`${title}: ${columns.map(({ label }) => label).join(", ")}`}
        onCrosshair={(reading) => {
          setUnder(reading);
          crosshair.tell(card.key, reading?.instant ?? null);
        }}
        onRange={(range) => view.tell(card.key, range)}
        onZoomed={setZoomed}
        {...(alone && !isSingle
          ? { onSwipe: (step: -1 | 1) => setChosen(neighbour(card.lines, promoted, step)) }
          : {})}
      />
      <WateringLegend water={water} instant={under?.instant ?? null} step={step} />
      {!isValve && !compact && <StatisticsTable columns={columns} statistics={statistics} />}
    </Card>
  );
}

interface LineNowProps {
  line: BoardLine;
  /** Value under the crosshair in display units; undefined without a crosshair. */
  under: number | undefined;
  /** True if the range ends now; a past range does not show the newest value. */
  follows: boolean;
}

/**
 * Show a line's value under the crosshair, or its newest one, with its unit. Empty in a past range without a
 * crosshair.
 */
function LineNow({ line: { source, field }, under, follows }: LineNowProps) {
  const { t } = useTranslation("common");
  const { reading } = useLiveReading(source);
  if (under === undefined && !follows) return null;
  const newest = readingNumber(reading, field.name);
  // A bar's height is the share of time for which the valve was open.
  if (field.name === VALVE) return valveWord(under === undefined ? newest : 2 - under, t);
  // Under the crosshair the number is scaled already.
  const { scale = 1 } = field;
  const { text, unit } = shownReading(field, under === undefined ? newest : under / scale, "log", t);
  return unit === "" ? text : `${text} ${unit}`;
}

interface WateringLegendProps {
  water: CardWaterings;
  /** Time under the crosshair, unix seconds; null without a crosshair. */
  instant: number | null;
  /** Seconds between buckets. */
  step: number;
}

/** Legend of bars and dashed lines, with a switch for each, and the watering under the crosshair. */
function WateringLegend({ water, instant, step }: WateringLegendProps) {
  const { t } = useTranslation("log");
  const { waterings, bounds, now } = water;
  if (waterings.length === 0 && bounds === null) return null;
  const pointed = instant === null ? undefined : wateringAt(waterings, instant, step, now);
  return (
    <div className="watering-legend">
      {waterings.length > 0 && (
        <button
          type="button"
          className="legend-button"
          aria-pressed={water.showsBars}
          onClick={water.toggleBars}
        >
          <span className="watering-legend__bar" />
          {t("water.bars", { count: waterings.length })}
        </button>
      )}
      {bounds !== null && (
        <button
          type="button"
          className="legend-button"
          aria-pressed={water.showsBounds}
          onClick={water.toggleBounds}
        >
          <span className="watering-legend__bounds" />
          {t("water.bounds", { lower: bounds.lower ?? "–", upper: bounds.upper ?? "–" })}
        </button>
      )}
      {pointed && <WateringWords watering={pointed} now={now} />}
    </div>
  );
}

function WateringWords({ watering, now }: { watering: Watering; now: number }) {
  const { t } = useTranslation("common");
  const words = useTimeWords();
  const labels = useLabels();
  const said = useWateringWords();
  const start = Date.parse(watering.start);
  const span = watering.end === null ? null : spanWords(start, Date.parse(watering.end), words, false);
  const parts = [
    span === null ? `${words.time(start)}–` : `${span.from}–${span.to}`,
    t(`watering.cause.${watering.cause}`),
    watering.by?.nickname,
    said.length(watering, now),
    watering.litres === null ? null : labels.litres(watering.litres),
    said.ending(watering, now),
  ];
  return <p className="watering-legend__words">{parts.filter(Boolean).join(" · ")}</p>;
}

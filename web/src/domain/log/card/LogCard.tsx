import { Button, Flex, Text } from "@chakra-ui/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../components/card.tsx";
import { ChoiceSegments } from "../../../components/choice.tsx";
import { useLabels } from "../../../i18n/labels.ts";
import { useMedia, useSurface } from "../../../theme/use-surface.ts";
import { Chart } from "../../chart/chart.tsx";
import type { ChartController } from "../../chart/chart-controller.ts";
import { ChartLegend } from "../../chart/chart-legend.tsx";
import {
  type ChartLayout,
  type ChartSeries,
  type ChartWindow,
  type CrosshairReading,
  leastSpanOf,
  type ViewedRange,
} from "../../chart/chart-model.ts";
import { readingNumber, shownReading } from "../../reading/reading.ts";
import { useTimeTexts } from "../../time/use-time-texts.ts";
import { bridgeLines } from "../data/bridge.ts";
import type { LogData } from "../data/log-data.ts";
import type { Log } from "../data/use-log-data.ts";
import { CardDownloads } from "../export/CardDownloads.tsx";
import type { Span } from "../range/range.ts";
import { useLiveReading, VALVE, valveWord } from "../sources/source.ts";
import {
  type BoardCard,
  type BoardLine,
  type CardBus,
  cardTitle,
  firstLayout,
  lineLabel,
} from "./board-cards.ts";
import { SeriesIcons } from "./SeriesIcons.tsx";
import { StatisticsTable } from "./StatisticsTable.tsx";
import { useCardWaterings, WateringLegend } from "./WateringLegend.tsx";
import { rangeName, useYRanges } from "./y-ranges.ts";

interface LogCardProps {
  card: BoardCard;
  data: LogData;
  /** Range of the data. */
  span: Span;
  log: Pick<Log, "statistics" | "onMerge" | "current">;
  /** Part of the range in view; null: all of it. Everything beside the chart is about it (WIN-1). */
  shownWindow: ChartWindow | null;
  /** By line, over the window; null while they are loading. */
  windowStatistics: Log["statistics"];
  onWindow: (shown: ChartWindow | null) => void;
  crosshair: CardBus<number>;
  view: CardBus<ViewedRange>;
  /** True for a low chart without controls. */
  compact: boolean;
}

/** Heights of charts, CSS px. Beside other content and on a phone on its side the chart is low. */
const PHONE_HEIGHT = 260;
const LOW_HEIGHT = 220;
const VALVE_HEIGHT = 140;

const seriesOf = ({ id, color, turn, field }: BoardLine): ChartSeries => ({
  id,
  color,
  turn,
  decimals: field.decimals,
  banded: field.circular !== true,
  leastSpan: leastSpanOf(field),
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
  const { card, data, span, crosshair, view, shownWindow, onWindow, compact } = props;
  const { onMerge, current } = props.log;
  const statistics = shownWindow === null ? props.log.statistics : props.windowStatistics;
  const { t, i18n } = useTranslation(["log", "common"]);
  const labels = useLabels();
  const texts = useTimeTexts();
  const { ranges } = useYRanges();
  const phone = useSurface() === "phone";
  const [layout, setLayout] = useState<ChartLayout>(() => firstLayout(card));
  const [chosen, setChosen] = useState(card.lines[0]?.id ?? "");
  const [isZoomed, setZoomed] = useState(false);
  const [under, setUnder] = useState<CrosshairReading | null>(null);
  const chart = useRef<ChartController | null>(null);
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
  const yRanges = useMemo(
    () =>
      Object.fromEntries(
        lines.map(({ id, type, field }) => [id, ranges.get(rangeName(type.type, field.name)) ?? null]),
      ),
    [lines, ranges],
  );
  const water = useCardWaterings(lines, span, shownWindow);
  const follows = span.follows && (shownWindow?.reachesEnd ?? true);

  const title = cardTitle(card, labels);
  const [single, second] = card.lines;
  const isSingle = single !== undefined && second === undefined;
  const isValve = single?.field.name === VALVE;
  const step = data.step / 1000;
  const isLow = useMedia("(max-height: 30rem)");
  const height = isValve ? VALVE_HEIGHT : compact || isLow ? LOW_HEIGHT : phone ? PHONE_HEIGHT : card.height;
  const labelled = card.lines.map((line) => ({ ...line, label: lineLabel(line, card, labels) }));
  const columns = alone ? labelled.filter(({ id }) => id === promoted) : labelled;
  const nowOf = (line: BoardLine) => (
    <LineNow line={line} under={under?.values.get(line.id)} follows={follows} />
  );
  return (
    <Card
      title={title}
      aside={
        <Flex as="span" wrap="wrap" align="center" justify="flex-end" gap="3">
          {under && (
            <Text as="span" color="fg.muted" fontSize="label" data-testid="time-under">
              {texts.dayTime(under.instant * 1000)}
            </Text>
          )}
          {isSingle && (
            <Text as="strong" fontSize="title" fontWeight="650" data-testid="value-now">
              {nowOf(single)}
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
        </Flex>
      }
    >
      {!isSingle && (
        <ChartLegend
          items={labelled.map((line) => ({ ...line, text: nowOf(line) }))}
          promoted={promoted}
          onPromote={setChosen}
        />
      )}
      {lines.every(({ id }) => !data.buckets[id]?.some(({ count }) => count > 0)) && (
        <Text py="2" color="fg.muted">
          {t("common:chart.empty")}
        </Text>
      )}
      <Chart
        ref={chart}
        series={series}
        buckets={buckets}
        step={step}
        zone={texts.zone}
        language={i18n.language}
        layout={alone ? "overlay" : layout}
        sharedAxis={card.compares}
        promoted={promoted}
        ranges={yRanges}
        marks={water.marks}
        height={height}
        label={`${title}: ${columns.map(({ label }) => label).join(", ")}`}
        onCrosshair={(reading) => {
          setUnder(reading);
          crosshair.tell(card.key, reading?.instant ?? null);
        }}
        onRange={(range) => view.tell(card.key, range)}
        onZoomed={setZoomed}
        onWindow={onWindow}
        onSwipe={alone && !isSingle ? (by) => setChosen(neighbour(card.lines, promoted, by)) : undefined}
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
  /** True if the chart ends now; a past range or window does not show the newest value. */
  follows: boolean;
}

/**
 * Show a line's value under the crosshair, or its newest one, with its unit. Empty in a past range or window
 * without a crosshair.
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

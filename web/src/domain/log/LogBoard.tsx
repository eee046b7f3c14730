import { Flex, Grid, Stack } from "@chakra-ui/react";
import type { LiveReading } from "@mulkko/shared/live/devices";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { PendingBar } from "../../components/progress.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useMeasure } from "../../components/use-measure.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useLiveSelection, useOnCaughtUp } from "../../live/hooks.ts";
import type { ChartWindow, ViewedRange } from "../chart/chart-model.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";
import { cardsOf, createCardBus, fieldsOf } from "./card/board-cards.ts";
import { LogCard } from "./card/LogCard.tsx";
import { useLogData } from "./data/use-log-data.ts";
import { useWindowStatistics } from "./data/use-window-statistics.ts";
import { ExcelButton } from "./export/ExcelButton.tsx";
import { RangePicker } from "./range/RangePicker.tsx";
import type { RangeChoice } from "./range/range.ts";
import {
  type LogSource,
  SHOWN_AT_MOST,
  sameSources,
  shownSources,
  sourceKey,
  useLiveReading,
} from "./sources/source.ts";

/** Width steps, CSS px: a small change of the window does not request new buckets. */
const WIDTH_STEP = 120;

/** Return the width of an element, rounded down, for at most one bucket per pixel. */
const widthOf = ({ clientWidth }: HTMLElement): number =>
  Math.max(WIDTH_STEP, Math.floor(clientWidth / WIDTH_STEP) * WIDTH_STEP);

interface LogBoardProps {
  sources: readonly LogSource[];
  choice: RangeChoice;
  onChoose: (choice: RangeChoice) => void;
  /** True for low charts without statistics and downloads, beside other content. */
  compact?: boolean;
}

const KINDS = ["sensor", "controller", "channel"] as const;

/** Width of the cards from which two fit in a row, CSS px. */
const TWO_COLUMNS_FROM = 1_000;

const CARDS = {
  '&[data-columns="2"]': {
    gridTemplateColumns: "repeat(2, minmax(0, 1fr))",
    // The last of an odd number has the row to itself.
    "& > :last-child:nth-child(odd)": { gridColumn: "1 / -1" },
  },
  // Charts of the range that was chosen before; what comes at once dims nothing.
  "&[data-stale] .chakra-card__body": { opacity: "0.4", transition: "opacity 0.2s 0.15s" },
};

/**
 * History and live values of sensors and channels: range, charts, statistics and files. A single source has
 * the cards of its type; a comparison has a card for each measurement.
 */
export function LogBoard({ sources, choice, onChoose, compact = false }: LogBoardProps) {
  const { t } = useTranslation(["log", "common"]);
  const labels = useLabels();
  const { zone } = useTimeTexts();
  // The caller may pass a new list of the same sources on each render.
  const named = sources.map(sourceKey).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text identifies the sources
  const select = useCallback((farm: LiveFarm) => shownSources(sources, farm), [named]);
  const shown = useLiveSelection(KINDS, select, sameSources);
  const asked = useMemo(() => shown.map(({ source }) => source), [shown]);
  const fields = useMemo(() => fieldsOf(shown), [shown]);
  const cards = useMemo(() => cardsOf(shown), [shown]);
  const [crosshair] = useState(() => createCardBus<number>());
  const [view] = useState(() => createCardBus<ViewedRange>());
  const [containerWidth, container] = useMeasure(widthOf);
  // Cards of a single measurement share a row if there is space.
  const small = cards.every(({ lines, compares }) => compares || lines.length === 1);
  const columns = containerWidth >= TWO_COLUMNS_FROM && cards.length > 1 && small ? 2 : 1;
  const board = useLogData({
    sources: asked,
    fields,
    choice,
    zone,
    width: Math.floor(containerWidth / columns),
  });
  const { log, unread, stale } = board;
  const [shownWindow, setShownWindow] = useState<ChartWindow | null>(null);
  const windowStatistics = useWindowStatistics({
    sources: asked,
    fields,
    window: compact ? null : shownWindow,
    step: log.state === "there" ? log.data.step / 1000 : 0,
  });
  return (
    <Stack gap="4" minW="0">
      <Flex wrap="wrap" align="flex-start" justify="space-between" gap="2">
        <RangePicker choice={choice} onChoose={onChoose} />
        {!compact && <ExcelButton sources={shown} choice={choice} />}
      </Flex>
      {sources.length > SHOWN_AT_MOST && <p>{t("tooManySources", { count: SHOWN_AT_MOST })}</p>}
      {asked.map((source) => (
        <LiveFeed
          key={sourceKey(source)}
          source={source}
          onReading={board.onReading}
          onCaughtUp={board.onCaughtUp}
        />
      ))}
      <PendingBar pending={stale} />
      <p className="visually-hidden" role="status">
        {stale && t("coming")}
      </p>
      {unread > 0 && (
        <Flex
          as="p"
          align="center"
          gap="3"
          color="fg.muted"
          css={{ "& progress": { flex: "1", h: "3px", accentColor: "var(--mk-colors-fg)" } }}
          role="status"
        >
          <progress value={1 - unread} max={1} aria-hidden />
          {t("unread", { percent: Math.floor((1 - unread) * 100) })}
        </Flex>
      )}
      <Grid
        gap="4"
        alignItems="start"
        minW="0"
        css={CARDS}
        data-testid="charts"
        data-columns={columns}
        ref={container}
        aria-busy={log.state === "loading" || stale}
        data-stale={stale || undefined}
      >
        {log.state === "loading" && <Skeleton height="22rem" />}
        {log.state === "failed" && (
          <ErrorNote retry={board.retry}>
            {t("common:sentences", { first: t("common:chart.failed"), second: labels.error(log.code) })}
          </ErrorNote>
        )}
        {log.state === "there" &&
          cards.map((card) => (
            <LogCard
              key={card.key}
              card={card}
              data={log.data}
              span={log.span}
              log={board}
              crosshair={crosshair}
              view={view}
              shownWindow={shownWindow}
              windowStatistics={windowStatistics}
              onWindow={setShownWindow}
              compact={compact}
            />
          ))}
      </Grid>
    </Stack>
  );
}

interface LiveFeedProps {
  source: LogSource;
  /** `at` is the time of the measurement, an instant. */
  onReading: (source: LogSource, reading: LiveReading, at: string) => void;
  /** Called when values were skipped: the charts may have a gap (SUB-5). */
  onCaughtUp: () => void;
}

/** Subscribe to one source for the charts. It renders nothing, so that a reading does not render the page. */
function LiveFeed({ source, onReading, onCaughtUp }: LiveFeedProps) {
  const { measured, at, key } = useLiveReading(source);
  useOnCaughtUp(key, onCaughtUp);
  useEffect(() => {
    if (measured !== null && at !== null) onReading(source, measured, at);
  }, [source, measured, at, onReading]);
  return null;
}

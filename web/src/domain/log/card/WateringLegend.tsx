import "../../chart/chart-legend.css";
import { Flex } from "@chakra-ui/react";
import type { Watering } from "@mulkko/shared/live/watering";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { fetchWateringLog } from "../../../api/logs.ts";
import { useRestQuery } from "../../../api/queries.tsx";
import { type LiveFarm, useIsLive, useLiveSelection, useServerTime } from "../../../live/hooks.ts";
import type { ChartMarks, ChartWindow } from "../../chart/chart-model.ts";
import { useTimeTexts } from "../../time/use-time-texts.ts";
import { spanTexts, useWateringTexts } from "../../watering/watering-texts.ts";
import type { Span } from "../range/range.ts";
import {
  boundsOf,
  channelOf,
  joinWaterings,
  wateringAt,
  wateringsIn,
  waterMarks,
} from "../sources/shown-waterings.ts";
import type { BoardLine } from "./board-cards.ts";

const MOISTURE = "moisture";
const CHANNEL = ["channel"] as const;
const WATERING = ["watering"] as const;

/** Interval at which a running bar grows, ms. */
const GROWS_MS = 10_000;

/**
 * Return the waterings of the common channel of moisture lines, kept up to date, and its current bounds, with switches
 * to show them; none without a channel.
 *
 * @param lines a list that stays the same object while its members do
 * @param shown part of the range in view; null: all of it
 */
export function useCardWaterings(lines: readonly BoardLine[], span: Span, shown: ChartWindow | null) {
  const { from } = span;
  const { t } = useTranslation("common");
  const live = useIsLive();
  const [showsBars, setBars] = useState(true);
  const [showsBounds, setBounds] = useState(true);
  const moist = useMemo(() => lines.filter(({ field }) => field.name === MOISTURE), [lines]);
  const findChannel = useCallback(
    (farm: LiveFarm) =>
      channelOf(
        moist.map(({ source }) => source),
        farm,
      ),
    [moist],
  );
  const channel = useLiveSelection(CHANNEL, findChannel);
  const findBounds = useCallback((farm: LiveFarm) => boundsOf(channel ?? "", farm), [channel]);
  const bounds = useLiveSelection(CHANNEL, findBounds, shallow);
  const findOwn = useCallback(
    (farm: LiveFarm) => [...farm.waterings.values()].filter(({ channelId }) => channelId === channel),
    [channel],
  );
  const own = useLiveSelection(WATERING, findOwn, shallow);
  // The chart works without bars; the next range or reconnection requests them again.
  const { data } = useRestQuery(
    ["watering-log", channel, from],
    (rest, signal) => fetchWateringLog(rest, { channel: `${channel}`, from }, signal),
    { enabled: live && channel !== null },
  );
  const waterings = useMemo(() => joinWaterings(data?.waterings ?? [], own), [data, own]);
  /** End of a running bar. */
  const now = useServerTime((time) => Math.ceil(time / GROWS_MS) * GROWS_MS);
  // Only the bar of a running watering grows with time.
  const until = waterings.some(({ end }) => end === null) ? now : 0;
  const marks = useMemo(() => {
    const behind: ChartMarks = {
      waterings: showsBars
        ? waterMarks(waterings, until, (cause) =>
            cause === "external" || cause === "person" ? t("mode.letter.none") : t(`mode.letter.${cause}`),
          )
        : [],
      bounds: showsBounds ? bounds : null,
    };
    // Attach them to one line: several lines of a card would draw them over each other.
    return Object.fromEntries(moist.slice(0, 1).map(({ id }) => [id, behind]));
  }, [moist, waterings, until, bounds, showsBars, showsBounds, t]);
  const inView = shown
    ? { from: shown.from * 1000, to: shown.reachesEnd ? Number.POSITIVE_INFINITY : shown.to * 1000 }
    : { from, to: span.follows ? Number.POSITIVE_INFINITY : span.to };
  return {
    marks,
    /** Those in view. */
    waterings: wateringsIn(waterings, inView, now),
    bounds,
    now,
    showsBars,
    showsBounds,
    toggleBars: () => setBars(!showsBars),
    toggleBounds: () => setBounds(!showsBounds),
  };
}

interface WateringLegendProps {
  water: ReturnType<typeof useCardWaterings>;
  /** Time under the crosshair, unix seconds; null without a crosshair. */
  instant: number | null;
  /** Seconds between buckets. */
  step: number;
}

/** Legend of bars and dashed lines, with a switch for each, and the watering under the crosshair. */
export function WateringLegend({ water, instant, step }: WateringLegendProps) {
  const { t } = useTranslation("log");
  const { waterings, bounds, now } = water;
  if (waterings.length === 0 && bounds === null) return null;
  const pointed = instant === null ? undefined : wateringAt(waterings, instant, step, now);
  return (
    <Flex
      wrap="wrap"
      align="center"
      columnGap="2"
      rowGap="1"
      mt="1"
      fontSize="label"
      css={{ "& [aria-pressed=false]": { textDecoration: "line-through" } }}
    >
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
      {pointed && <WateringTexts watering={pointed} now={now} />}
    </Flex>
  );
}

function WateringTexts({ watering, now }: { watering: Watering; now: number }) {
  const { t } = useTranslation("common");
  const texts = useTimeTexts();
  const said = useWateringTexts();
  const start = Date.parse(watering.start);
  const span = watering.end === null ? null : spanTexts(start, Date.parse(watering.end), texts, false);
  const parts = [
    span === null ? `${texts.time(start)}–` : `${span.from}–${span.to}`,
    t(`watering.cause.${watering.cause}`),
    watering.by?.nickname,
    said.length(watering, now),
    said.litres(watering),
    said.ending(watering, now),
  ];
  return <p>{parts.filter(Boolean).join(" · ")}</p>;
}

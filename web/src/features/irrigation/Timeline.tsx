import "./timeline.css";
import { Box, chakra, Text } from "@chakra-ui/react";
import type { UntimedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useClaim } from "../../api/knowledge.ts";
import type { Refreshed } from "../../api/use-refreshed.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useMeasure } from "../../components/use-measure.ts";
import { panelPath } from "../../domain/farm/device-paths.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLastReport } from "../../domain/valve/last-report.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useDrawnQuality, useLive, useServerNow, useServerTime } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { isOnFarm } from "./day-sum.ts";
import {
  hourMarks,
  labelSide,
  placeOf,
  roomBehind,
  type TimelineBar,
  type TimelineRow,
  timelineOf,
} from "./timeline.ts";
import { type ChannelNames, useChannelNames, useOpenChannels } from "./use-farms.ts";

const percent = (part: number): string => `${part * 100}%`;

interface TrackProps {
  row: TimelineRow;
  /** Share of the width behind a bar from which its label includes the end. */
  roomy: number;
  /** Background behind the bars. */
  children: ReactNode;
}

/** Show a channel's day; a press lists begin and end of its bars. */
function Track({ row: { channelId, bars, untimed }, roomy, children }: TrackProps) {
  const { t } = useTranslation("common");
  const channel = useLive("channel", channelId);
  const quality = useDrawnQuality(channel);
  const isDoubted = quality !== "fresh";
  const inWords = useBarTexts(isDoubted ? (quality ?? "never") : null, useLastReport(channel).sentence);
  const [open, setOpen] = useState(false);
  const rooms = roomBehind(bars);
  const content = (
    <>
      {children}
      {bars.map((bar, index) => {
        const { start, time, overlap, all } = inWords(bar);
        return (
          <span
            key={bar.id}
            className="timeline__bar"
            data-kind={bar.kind}
            // The record has no end, and the last report of the valve is not live.
            data-doubted={(bar.kind === "running" && isDoubted) || undefined}
            data-open-end={bar.end === null || undefined}
            style={{ left: percent(bar.left), width: percent(bar.width) }}
            title={all}
          >
            <span className="visually-hidden">{all}</span>
            {bar.hatched.map(({ left, width }) => (
              <i
                key={left}
                className="timeline__overlap"
                style={{ left: percent(left), width: percent(width) }}
              />
            ))}
            {/* With large letters neither side has room for it: a press lists all of it. */}
            <span className="timeline__label" data-side={labelSide(bar, roomy)} data-brief aria-hidden>
              {bar.kind !== "running" && <b>{t(`mode.${bar.kind}`)}</b>}{" "}
              {(rooms[index] ?? 0) >= roomy ? time : start}
              {overlap && <em> {overlap}</em>}
            </span>
          </span>
        );
      })}
      {untimed && <UntimedChip untimed={untimed} />}
    </>
  );
  if (bars.length === 0) return <div className="timeline__track">{content}</div>;
  return (
    <>
      <button type="button" className="timeline__track" aria-expanded={open} onClick={() => setOpen(!open)}>
        {content}
      </button>
      {open && (
        <chakra.ul gridColumn="1 / -1" pt="1" pb="2.5" ps="var(--name)" color="fg.muted" fontSize="label">
          {bars.map((bar) => (
            <li key={bar.id}>{inWords(bar).all}</li>
          ))}
        </chakra.ul>
      )}
    </>
  );
}

/** Return a function that describes a bar. @param lastReport shown instead of a claim that water runs now */
function useBarTexts(doubt: DrawnQuality | "never" | null, lastReport: string | null) {
  const { t } = useTranslation(["irrigation", "common"]);
  const texts = useTimeTexts();
  return ({ kind, start: from, end, overlaps }: TimelineBar) => {
    const what =
      kind !== "running"
        ? t(`common:mode.${kind}`)
        : doubt === null
          ? t("common:watering.running")
          : [t(`common:quality.${doubt}`), ...(lastReport === null ? [] : [lastReport])].join(" · ");
    const start = texts.time(from);
    const time = end === null ? t("timeline.since", { start }) : `${start}–${texts.time(end)}`;
    const overlap = overlaps > 0 ? t("timeline.overlap", { count: overlaps + 1 }) : null;
    return { start, time, overlap, all: [what, time, ...(overlap ? [overlap] : [])].join(" · ") };
  };
}

/** Explain why the times of a mode in charge are unknown. */
function UntimedChip({ untimed: { mode, reason, lack } }: { untimed: UntimedWatering }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const why = reason === "incomplete" && lack !== null ? t(`common:lacks.${lack}`) : t(`timeline.${reason}`);
  return (
    <span className="timeline__chip" data-reason={reason}>
      {t(`common:mode.${mode}`)} · {why}
    </span>
  );
}

/** Hours between the marks above the timeline. */
const MARK_HOURS = { phone: 6, desktop: 3, wall: 3 } as const;

const MINUTE_MS = 60_000;

/** Width of a label with begin and end, as a multiple of the page's letters. */
const LABEL_REM = 10;
/** Its share of the tracks' width before they are measured. */
const ROOMY = { phone: 0.42, desktop: 0.18, wall: 0.18 } as const;

/**
 * Return the share of an element's width that a label takes up. Large letters and a narrow track leave a
 * label no room behind its bar: it would widen the page (UI-1).
 */
const labelShare = ({ clientWidth }: HTMLElement): number =>
  clientWidth === 0
    ? 0
    : (LABEL_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / clientWidth;

/** The hours, and a row for each channel: its name beside its track, on a phone above it. */
const TIMELINE = {
  "--name": "11rem",
  containerType: "inline-size",
  "& > div": { position: "relative", h: "6", ms: "var(--name)", color: "fg.muted", fontSize: "caption" },
  "& > div > span": { position: "absolute", transform: "translateX(-50%)" },
  "& > div > span:first-of-type": { transform: "translateX(-25%)" },
  "& > div > span:last-of-type": { transform: "translateX(-75%)" },
  // Beside a list on a narrow desktop every other hour has room.
  "@container (max-width: 38rem)": {
    "[data-surface=desktop] & > div > span:nth-of-type(even)": { display: "none" },
  },
  "& > ul > li": {
    display: "grid",
    gridTemplateColumns: "var(--name) minmax(0, 1fr)",
    alignItems: "center",
    borderTopWidth: "1px",
  },
  "& > ul > li > a": { display: "flex", alignItems: "center", minH: "12", pe: "3", fontSize: "label" },
  "& .thing-title__channel": { fontWeight: "600" },
  "[data-surface=phone] &": { "--name": "0px", "& > ul > li": { gridTemplateColumns: "minmax(0, 1fr)" } },
};

interface TimelineProps {
  readonly preview: WateringPreview;
  readonly names: ChannelNames;
  /** Text of an empty plan. */
  readonly none: string;
}

/** Draw the next 24 hours: running and coming waterings, overlaps, and valves whose times are unknown (WAT-3). */
export function Timeline({ preview, names, none }: TimelineProps) {
  const { t } = useTranslation("irrigation");
  const texts = useTimeTexts();
  const surface = useSurface();
  const [share, hours] = useMeasure(labelShare);
  const roomy = share === 0 ? ROOMY[surface] : share;
  const serverNow = useServerNow();
  // Bars without an end, and the line of the current time, follow it by the minute.
  const minute = useServerTime((now) => Math.floor(now / MINUTE_MS));
  const now = minute * MINUTE_MS;
  const { from, to, rows } = timelineOf(preview, Math.max(now, Date.parse(preview.from)));
  const marks = hourMarks(from, to, texts.zone, MARK_HOURS[surface]).map((at) => ({
    at,
    left: percent(placeOf({ from, to }, at) ?? 0),
  }));
  const present = placeOf({ from, to }, serverNow());
  const unread = preview.unread.length > 0 && t("timeline.unread", { count: preview.unread.length });
  if (rows.length === 0) return <Text color="fg.muted">{unread || none}</Text>;
  return (
    <Box css={TIMELINE} data-testid="timeline">
      <div aria-hidden ref={hours}>
        {marks.map(({ at, left }) => (
          <span key={at} style={{ left }}>
            {texts.time(at)}
          </span>
        ))}
      </div>
      <ul>
        {rows.map((row) => (
          <li key={row.channelId}>
            <Link to={panelPath(row.controllerId, row.number)}>
              <ThingTitle name={names.get(row.channelId)?.name ?? null} number={row.number} />
            </Link>
            <Track row={row} roomy={roomy}>
              {marks.map(({ at, left }) => (
                <i key={at} className="timeline__mark" style={{ left }} />
              ))}
              {present !== null && <i className="timeline__now" style={{ left: percent(present) }} />}
            </Track>
          </li>
        ))}
      </ul>
      {[preview.truncated && t("timeline.truncated"), unread].filter(Boolean).map((note) => (
        <Text key={`${note}`} mt="2" color="fg.muted" fontSize="label">
          {note}
        </Text>
      ))}
    </Box>
  );
}

interface PlanCardProps {
  preview: Refreshed<WateringPreview>;
  /** One farm, or all of them for null. */
  farmId: string | null;
  /** Channels of that farm; all if omitted. */
  channels?: ReadonlySet<string> | undefined;
}

/** Return a farm's part of a preview. Overlaps with other farms on the same controller still count. */
function ofFarm(
  preview: WateringPreview,
  { farmId, channels }: Omit<PlanCardProps, "preview">,
  isOpen: (channelId: string) => boolean,
): WateringPreview {
  return {
    ...preview,
    planned: preview.planned.filter(
      ({ farmIds, kind, channelId }) =>
        // Valves that closed after the plan was loaded no longer run.
        isOnFarm(farmIds, farmId) && (kind !== "running" || isOpen(channelId)),
    ),
    untimed: preview.untimed.filter(({ farmIds }) => isOnFarm(farmIds, farmId)),
    unread: preview.unread.filter((id) => channels === undefined || channels.has(id)),
  };
}

/** Show the next 24 hours. The last known plan stays while a newer one cannot be loaded, with a note. */
export function PlanCard({ preview, farmId, channels }: PlanCardProps) {
  const { t } = useTranslation("irrigation");
  const labels = useLabels();
  const names = useChannelNames();
  const open = useOpenChannels();
  const { value, failure } = preview;
  const claim = useClaim({ data: value, error: failure });
  return (
    <Card title={t("timeline.title")}>
      {failure !== null && (
        <ErrorNote retry={preview.again}>
          {t("timeline.failed")} {labels.error(failure)}
        </ErrorNote>
      )}
      {value ? (
        <Timeline
          preview={ofFarm(value, { farmId, channels }, (id) => open.has(id))}
          names={names}
          none={claim(t("timeline.none"))}
        />
      ) : (
        failure === null && <Skeleton height="6rem" />
      )}
    </Card>
  );
}

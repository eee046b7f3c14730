import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useServerNow, useServerTime } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { panelPath } from "./paths.ts";
import { percent, Track } from "./TimelineTrack.tsx";
import { hourMarks, placeOf, type TimelineRow, timelineOf } from "./timeline.ts";
import type { NamedChannel } from "./use-farms.ts";
import "./timeline.css";

/** Hours between the marks over the picture. */
const MARK_HOURS = { phone: 6, desktop: 3, wall: 3 } as const;

const MINUTE_MS = 60_000;

/** The part of the picture that a bar's begin and end in words take up. */
const ROOMY = { phone: 0.42, desktop: 0.18, wall: 0.18 } as const;

export interface TimelineProps {
  preview: WateringPreview;
  names: ReadonlyMap<string, NamedChannel>;
}

/** Draw the next 24 hours: running and coming waterings, overlaps, and valves whose times are unknown (WAT-3). */
export function Timeline({ preview, names }: TimelineProps) {
  const { t } = useTranslation("irrigation");
  const words = useTimeWords();
  const surface = useSurface();
  const serverNow = useServerNow();
  // What has no end is drawn up to the present: by the minute, like the line of the present.
  const minute = useServerTime((now) => Math.floor(now / MINUTE_MS));
  const now = minute * MINUTE_MS;
  const timeline = useMemo(
    () => timelineOf(preview, Math.max(now, Date.parse(preview.from))),
    [preview, now],
  );
  const { from, to, rows } = timeline;
  const marks = useMemo(
    () => hourMarks(from, to, words.zone, MARK_HOURS[surface]),
    [from, to, words.zone, surface],
  );
  const present = placeOf(timeline, serverNow());
  const unread = preview.unread.length;
  if (rows.length === 0) {
    return (
      <p className="timeline__none">
        {unread > 0 ? t("timeline.unread", { count: unread }) : t("timeline.none")}
      </p>
    );
  }
  return (
    <div className="timeline" data-testid="timeline">
      <div className="timeline__hours" aria-hidden>
        {marks.map((mark) => (
          <span key={mark} style={{ left: percent(placeOf(timeline, mark) ?? 0) }}>
            {words.time(mark)}
          </span>
        ))}
      </div>
      <ul className="timeline__rows">
        {rows.map((row) => (
          <li key={row.channelId} className="timeline__row">
            <RowHead row={row} named={names.get(row.channelId)} />
            <Track row={row} words={words} roomy={ROOMY[surface]}>
              {marks.map((mark) => (
                <i
                  key={mark}
                  className="timeline__mark"
                  style={{ left: percent(placeOf(timeline, mark) ?? 0) }}
                />
              ))}
              {present !== null && <i className="timeline__now" style={{ left: percent(present) }} />}
            </Track>
          </li>
        ))}
      </ul>
      {preview.truncated && <p className="timeline__note">{t("timeline.truncated")}</p>}
      {unread > 0 && <p className="timeline__note">{t("timeline.unread", { count: unread })}</p>}
    </div>
  );
}

function RowHead({ row, named }: { row: TimelineRow; named: NamedChannel | undefined }) {
  return (
    <Link className="timeline__name" to={panelPath(row.controllerId, row.number)}>
      <ThingTitle name={named?.name ?? null} number={row.number} />
    </Link>
  );
}

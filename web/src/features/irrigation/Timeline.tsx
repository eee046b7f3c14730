import type { UntimedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { TimeWords } from "../../farm/time-words.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useServerNow, useServerTime } from "../../live/hooks.ts";
import { useSurface } from "../../ui/theme/use-surface.ts";
import { panelPath } from "./paths.ts";
import { hourMarks, placeOf, type TimelineBar, type TimelineRow, timelineOf } from "./timeline.ts";
import type { NamedChannel } from "./use-farms.ts";
import "./timeline.css";

/** Hours between the marks over the picture. */
const MARK_HOURS = { phone: 6, desktop: 3, wall: 3 } as const;

const MINUTE_MS = 60_000;

const percent = (part: number): string => `${part * 100}%`;

export interface TimelineProps {
  preview: WateringPreview;
  names: ReadonlyMap<string, NamedChannel>;
}

/** The next 24 hours: what runs, what is going to, where they overlap, and of what nobody can tell (WAT-3). */
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
  if (rows.length === 0) return <p className="timeline__none">{t("timeline.none")}</p>;
  return (
    <div className="timeline">
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
            <div className="timeline__track">
              {marks.map((mark) => (
                <i
                  key={mark}
                  className="timeline__mark"
                  style={{ left: percent(placeOf(timeline, mark) ?? 0) }}
                />
              ))}
              {row.bars.map((bar) => (
                <Bar key={bar.id} bar={bar} words={words} />
              ))}
              {present !== null && <i className="timeline__now" style={{ left: percent(present) }} />}
              {row.untimed && <UntimedChip untimed={row.untimed} />}
            </div>
          </li>
        ))}
      </ul>
      {preview.truncated && <p className="timeline__note">{t("timeline.truncated")}</p>}
      {preview.unread.length > 0 && (
        <p className="timeline__note">{t("timeline.unread", { count: preview.unread.length })}</p>
      )}
    </div>
  );
}

function RowHead({ row, named }: { row: TimelineRow; named: NamedChannel | undefined }) {
  const { t } = useTranslation("common");
  const channel = t("valve.channel", { number: row.number });
  return (
    <Link className="timeline__name" to={panelPath(row.controllerId, row.number)}>
      <span>{named?.box ?? ""}</span> <b>{channel}</b>
    </Link>
  );
}

/** A bar, which says all of itself to those who do not see where it stands. */
function Bar({ bar, words }: { bar: TimelineBar; words: TimeWords }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const kind = bar.kind === "running" ? t("common:watering.running") : t(`common:mode.${bar.kind}`);
  const start = words.time(bar.start);
  const time = bar.end === null ? t("timeline.since", { start }) : `${start}–${words.time(bar.end)}`;
  const overlap = bar.overlaps > 0 ? t("timeline.overlap", { count: bar.overlaps + 1 }) : null;
  const said = [kind, time, ...(overlap ? [overlap] : [])].join(" · ");
  return (
    <span
      className="timeline__bar"
      data-kind={bar.kind}
      data-open-end={bar.end === null || undefined}
      style={{ left: percent(bar.left), width: percent(bar.width) }}
      title={said}
    >
      <span className="visually-hidden">{said}</span>
      {bar.hatched.map((part) => (
        <i
          key={part.left}
          className="timeline__overlap"
          style={{ left: percent(part.left), width: percent(part.width) }}
        />
      ))}
      <span className="timeline__label" aria-hidden>
        {bar.kind !== "running" && <b>{t(`common:mode.letter.${bar.kind}`)}</b>} {start}
        {overlap && <em> {overlap}</em>}
      </span>
    </span>
  );
}

/** Why nobody can tell when a mode in charge waters. */
function UntimedChip({ untimed }: { untimed: UntimedWatering }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const mode = t(`common:mode.${untimed.mode}`);
  const why =
    untimed.reason === "incomplete"
      ? untimed.lack === null
        ? t("timeline.incomplete")
        : t(`common:lacks.${untimed.lack}`)
      : t(`timeline.${untimed.reason}`);
  return (
    <span className="timeline__chip" data-reason={untimed.reason}>
      {mode} · {why}
    </span>
  );
}

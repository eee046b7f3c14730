import { useTranslation } from "react-i18next";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import {
  isUrgent,
  lineBeganAt,
  type PresentAlarm,
  usePresentAlarms,
} from "../../domain/alarm/present-alarms.ts";
import { useThing } from "../../domain/farm/use-names.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge } from "../../live/hooks.ts";
import { FarmLabel } from "../FarmLabel.tsx";
import { AcknowledgeButton } from "../freshness/AlarmFoot.tsx";
import { useElementSize } from "../use-viewport.ts";
import { useWall, type WallPageProps } from "../wall-context.ts";
import { Empty } from "./Empty.tsx";
import "./alarms-page.css";

/** Height of a line with the gap below it, px of the drawn screen. */
const LINE_PX = { wide: 120, tight: 104 } as const;

/** List active and unacknowledged alarms: most urgent first, grouped by cause in a flood (ALM-5). */
export function AlarmsPage({ lap }: WallPageProps) {
  const { t } = useTranslation("wall");
  const { factor, tight } = useWall();
  const [ref, size] = useElementSize<HTMLDivElement>();
  const lines = usePresentAlarms();
  const fits = size ? Math.max(1, Math.floor(size.height / (LINE_PX[tight ? "tight" : "wide"] * factor))) : 0;
  // The last line counts the others; with space for two or three lines the screen's foot does.
  const most = lines.length > fits && !tight ? Math.max(1, fits - 1) : fits;
  const start = lines.length > most && !lines.slice(0, most).some(isNews) ? (lap * most) % lines.length : 0;
  const shown = lines.slice(start, start + most);
  return (
    <div className="wall-alarms" ref={ref}>
      {lines.length === 0 && <Empty unknown={t("alarms.unknown")}>{t("alarms.none")}</Empty>}
      {shown.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      {lines.length > shown.length && size && (
        <p className={tight ? "visually-hidden" : "wall-more"}>
          {t("alarms.waiting", { count: lines.length - shown.length })}
        </p>
      )}
    </div>
  );
}

/** Unacknowledged alarms stay visible; known ones may rotate. */
const isNews = ({ alarms }: PresentAlarm): boolean => alarms.some(({ ack }) => ack === null);

function Line({ line }: { line: PresentAlarm }) {
  const { t } = useTranslation(["wall", "common"]);
  const { texts, settings, narrow } = useWall();
  const { alarmType, shortAge } = useLabels();
  const [alarm, ...others] = line.alarms;
  const isGroup = others.length > 0;
  const since = lineBeganAt(line);
  const age = useAge(since);
  const thing = useThing(alarm);
  const unseen = line.alarms.filter(({ ack }) => ack === null).length;
  return (
    <article
      className="wall-alarm"
      data-testid="wall-alarm"
      data-priority={alarm.active ? alarm.priority : undefined}
      data-seen={alarm.ack !== null || undefined}
    >
      <AlarmBadge priority={alarm.priority} pulsing={isUrgent(alarm)} />
      <p className="wall-alarm__text">
        {isGroup ? (
          <>
            <strong>{alarmType(alarm.type)}</strong>
            <span>{t("common:alarm.many", { count: line.alarms.length })}</span>
            {unseen > 0 && <span>{t("alarms.unseen", { count: unseen })}</span>}
          </>
        ) : (
          <>
            <strong>
              {thing && <FarmLabel about={alarm.key} short={narrow} />}
              {thing ? <ThingTitle {...thing} /> : alarmType(alarm.type)}
            </strong>
            <span className="wall-alarm__about">
              {thing && <span>{alarmType(alarm.type)}</span>}
              {!alarm.active && <span>{t("common:alarm.over")}</span>}
              {alarm.ack !== null && <span>{t("common:alarm.seenBy", { by: alarm.ack.by.nickname })}</span>}
            </span>
          </>
        )}
      </p>
      <p className="wall-alarm__since">
        {texts.time(Date.parse(since))} · {shortAge(age ?? 0)}
      </p>
      {settings.scope === "ack" && !isGroup && alarm.ack === null && <AcknowledgeButton id={alarm.id} />}
    </article>
  );
}

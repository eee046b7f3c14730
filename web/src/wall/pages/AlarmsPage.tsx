import type { Alarm } from "@mulkko/shared/live/alarm";
import { isUrgent, type PresentAlarm } from "../../alarms/present-alarms.ts";
import { usePresentAlarms } from "../../alarms/use-present-alarms.ts";
import { useThing } from "../../farm/use-names.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAge } from "../../live/hooks.ts";
import { AlarmBadge } from "../../ui/feedback/alarm-badge.tsx";
import { ThingTitle } from "../../ui/valve/thing-title.tsx";
import { FarmLabel } from "../FarmLabel.tsx";
import { AcknowledgeButton } from "../truth/AcknowledgeButton.tsx";
import { useRoom } from "../use-viewport.ts";
import { useWall } from "../wall-context.ts";
import { Empty } from "./Empty.tsx";
import type { WallPageProps } from "./wall-page.ts";
import "./alarms-page.css";

/** Height of a line with the gap below it, px of the drawn screen. */
const LINE_PX = { wide: 120, tight: 104 } as const;

/** What is wrong now, or was and nobody has seen it: the most urgent first, in a flood by cause (ALM-5). */
export function AlarmsPage({ lap }: WallPageProps) {
  const { t } = useTranslation("wall");
  const { factor, tight } = useWall();
  const [box, room] = useRoom<HTMLDivElement>();
  const lines = usePresentAlarms();
  const fits = room ? Math.max(1, Math.floor(room.height / (LINE_PX[tight ? "tight" : "wide"] * factor))) : 0;
  // The last line says how many more there are; where there is room for two or three, the foot of the screen does.
  const most = lines.length > fits && !tight ? Math.max(1, fits - 1) : fits;
  const start = lines.length > most && !lines.slice(0, most).some(isNews) ? (lap * most) % lines.length : 0;
  const shown = lines.slice(start, start + most);
  return (
    <div className="wall-alarms" ref={box}>
      {lines.length === 0 && <Empty>{t("alarms.none")}</Empty>}
      {shown.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      {lines.length > shown.length && room && (
        <p className={tight ? "visually-hidden" : "wall-more"}>
          {t("alarms.waiting", { count: lines.length - shown.length })}
        </p>
      )}
    </div>
  );
}

/** What wants to be looked at stays in sight; what is known may take turns. */
const isNews = (line: PresentAlarm): boolean =>
  line.kind === "group" ? line.alarms.some(({ ack }) => ack === null) : line.alarm.ack === null;

function Line({ line }: { line: PresentAlarm }) {
  const { t } = useTranslation(["wall", "common"]);
  const { words, settings } = useWall();
  const { alarmType, shortAge } = useLabels();
  const [alarm, newest]: [Alarm, string] =
    line.kind === "one" ? [line.alarm, line.alarm.raisedAt] : [line.alarms[0], newestOf(line.alarms)];
  const age = useAge(newest);
  const thing = useThing(alarm.key);
  const unseen = line.kind === "one" ? 0 : line.alarms.filter(({ ack }) => ack === null).length;
  return (
    <article
      className="wall-alarm"
      data-priority={alarm.active ? alarm.priority : undefined}
      data-seen={alarm.ack !== null || undefined}
    >
      <AlarmBadge priority={alarm.priority} pulsing={isUrgent(alarm)} />
      <p className="wall-alarm__text">
        {line.kind === "group" ? (
          <>
            <strong>{alarmType(alarm.type)}</strong>
            <span>{t("common:alarm.many", { count: line.alarms.length })}</span>
            {unseen > 0 && <span>{t("alarms.unseen", { count: unseen })}</span>}
          </>
        ) : (
          <>
            <strong>
              {thing && <FarmLabel about={alarm.key} />}
              {thing ? <ThingTitle {...thing} /> : alarmType(alarm.type)}
            </strong>
            {thing && <span>{alarmType(alarm.type)}</span>}
            {!alarm.active && <span>{t("common:alarm.over")}</span>}
            {alarm.ack !== null && <span>{t("common:alarm.seenBy", { by: alarm.ack.by.nickname })}</span>}
          </>
        )}
      </p>
      <p className="wall-alarm__since">
        {words.time(Date.parse(newest))} · {shortAge(age ?? 0)}
      </p>
      {settings.scope === "ack" && line.kind === "one" && alarm.ack === null && (
        <AcknowledgeButton id={alarm.id} />
      )}
    </article>
  );
}

const newestOf = (alarms: readonly Alarm[]): string =>
  alarms
    .map(({ raisedAt }) => raisedAt)
    .sort()
    .at(-1) ?? "";

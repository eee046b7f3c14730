import type { Alarm } from "@mulkko/shared/live/alarm";
import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "react-router-dom";
import { thingTitle, useThing } from "../farm/use-names.ts";
import { useTimeWords } from "../farm/use-time-words.ts";
import { useLabels } from "../i18n/labels.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { useAge } from "../live/hooks.ts";
import { AlarmBadge } from "../ui/feedback/alarm-badge.tsx";
import { ALARMS_PATH, type PresentAlarm } from "./present-alarms.ts";
import "./alarm-line.css";
import { retried } from "../ui/lazy/retried.ts";

/** What can be done about an alarm comes with the page that offers it, not with the first load. */
const AlarmDesk = lazy(async () => ({ default: (await retried(() => import("./AlarmDesk.tsx"))).AlarmDesk }));
const GroupDesk = lazy(async () => ({ default: (await retried(() => import("./GroupDesk.tsx"))).GroupDesk }));

/**
 * One line of the alarms: how urgent, about what, since when, and what somebody has said of it. `compact` leads to
 * the list; without it details and actions stand under the line, and the words of `alarms` have to be there.
 */
export function AlarmLine({ alarm: line, compact = false }: { alarm: PresentAlarm; compact?: boolean }) {
  const alarm = line.kind === "one" ? line.alarm : line.alarms[0];
  const about =
    line.kind === "one" ? <OneAbout alarm={alarm} linked={!compact} /> : <GroupAbout line={line} />;
  const head = (
    <AlarmHead alarm={alarm} since={line.kind === "one" ? alarm.raisedAt : newestOf(line.alarms)}>
      {about}
    </AlarmHead>
  );
  if (compact) {
    return (
      <Link className="alarm-line" to={ALARMS_PATH} {...stateOf(alarm)}>
        {head}
      </Link>
    );
  }
  return (
    <article className="alarm-line alarm-line--whole" {...stateOf(alarm)}>
      {head}
      <Suspense fallback={null}>
        {line.kind === "one" ? (
          <AlarmDesk alarm={alarm} />
        ) : (
          <GroupDesk
            alarms={line.alarms}
            lineOf={(each) => <AlarmLine alarm={{ kind: "one", id: each.id, alarm: each }} />}
          />
        )}
      </Suspense>
    </article>
  );
}

const newestOf = (alarms: readonly Alarm[]): string =>
  new Date(Math.max(...alarms.map(({ raisedAt }) => Date.parse(raisedAt)))).toISOString();

/** What the line looks like, said to its CSS. */
const stateOf = ({ active, ack, snooze }: Alarm) => ({
  "data-over": !active || undefined,
  "data-seen": ack !== null || undefined,
  "data-put-off": snooze !== null || undefined,
});

function AlarmHead({ alarm, since, children }: { alarm: Alarm; since: string; children: ReactNode }) {
  const { age } = useLabels();
  const ms = useAge(since);
  return (
    <>
      <AlarmBadge priority={alarm.priority} />
      <div className="alarm-line__about">{children}</div>
      <span className="alarm-line__age">{age(ms ?? 0)}</span>
    </>
  );
}

function OneAbout({ alarm, linked }: { alarm: Alarm; linked: boolean }) {
  const { t } = useTranslation("common");
  const { alarmType } = useLabels();
  const thing = useThing(alarm.key);
  const state = useAlarmState(alarm);
  const name = thing && thingTitle(thing, (number) => t("valve.channel", { number }));
  const said = [...(name === null ? [] : [alarmType(alarm.type)]), ...state].join(" · ");
  return (
    <>
      <p className="alarm-line__title">
        {name === null ? (
          alarmType(alarm.type)
        ) : linked && thing?.to !== undefined ? (
          <Link to={thing.to}>{name}</Link>
        ) : (
          name
        )}
      </p>
      {said !== "" && <p className="alarm-line__said">{said}</p>}
    </>
  );
}

/** What has become of an alarm, in words; nothing for one that is so and that nobody has seen. */
function useAlarmState({ active, ack, snooze }: Alarm): string[] {
  const { t } = useTranslation("common");
  const words = useTimeWords();
  return [
    ...(active ? [] : [t("alarm.over")]),
    ...(ack === null ? [] : [t("alarm.seenBy", { by: ack.by.nickname })]),
    ...(snooze === null ? [] : [t("alarm.putOff", { until: words.dayTime(Date.parse(snooze.until)) })]),
  ];
}

function GroupAbout({ line }: { line: Extract<PresentAlarm, { kind: "group" }> }) {
  const { t } = useTranslation("common");
  const { alarmType } = useLabels();
  const unseen = line.alarms.filter(({ ack }) => ack === null).length;
  return (
    <>
      <p className="alarm-line__title">{alarmType(line.alarms[0].type)}</p>
      <p className="alarm-line__said">
        {t("alarm.many", { count: line.alarms.length })}
        {unseen > 0 && ` · ${t("alarm.unseen", { count: unseen })}`}
      </p>
    </>
  );
}

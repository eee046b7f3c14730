import { chakra } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge } from "../../live/hooks.ts";
import { useThing } from "../farm/use-names.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";
import { AlarmNote } from "./AlarmNote.tsx";
import { ALARMS_PATH, asOne, lineBeganAt, type PresentAlarm } from "./present-alarms.ts";
import "./alarm-line.css";
import { lazyPart } from "../../components/lazy/retried.ts";

/** The page that offers alarm actions loads them; the first load does not contain them. */
const AlarmActions = lazyPart(() => import("./AlarmActions.tsx").then((m) => m.AlarmActions));
const GroupActions = lazyPart(() => import("./AlarmActions.tsx").then((m) => m.GroupActions));

interface AlarmLineProps {
  /** One alarm, or those of one cause. */
  alarms: PresentAlarm["alarms"];
  compact?: boolean;
}

/**
 * One alarm in a list: priority, subject, age and what users have done about it. `compact` links to the list.
 * Otherwise details and actions follow below, which need the translations of `alarms`.
 */
export function AlarmLine({ alarms, compact = false }: AlarmLineProps) {
  const { age } = useLabels();
  const ms = useAge(lineBeganAt({ alarms }));
  const [alarm, ...others] = alarms;
  const isGroup = others.length > 0;
  const head = (
    <>
      <AlarmBadge priority={alarm.priority} />
      <div className="alarm-line__about">
        {isGroup ? <GroupAbout alarms={alarms} /> : <OneAbout alarm={alarm} linked={!compact} />}
      </div>
      <span className="alarm-line__age">{age(ms ?? 0)}</span>
    </>
  );
  if (compact) {
    return (
      <Link className="alarm-line" to={ALARMS_PATH} {...stateOf(alarm)}>
        {head}
      </Link>
    );
  }
  return (
    <article className="alarm-line alarm-line--whole" data-testid="alarm-line" {...stateOf(alarm)}>
      {head}
      <Suspense fallback={null}>
        {isGroup ? (
          <GroupActions alarms={alarms} list={<AlarmLines lines={alarms.map(asOne)} />} />
        ) : (
          <AlarmActions alarm={alarm} />
        )}
      </Suspense>
    </article>
  );
}

/** List present alarms with their actions. */
export function AlarmLines({ lines }: { lines: readonly PresentAlarm[] }) {
  return (
    <AlarmList>
      {lines.map(({ id, alarms }) => (
        <li key={id}>
          <AlarmLine alarms={alarms} />
        </li>
      ))}
    </AlarmList>
  );
}

/** Frame of a list of alarms. */
export function AlarmList({ children }: { children: ReactNode }) {
  return (
    <chakra.ul
      w="full"
      layerStyle="panel"
      css={{ "& > li + li": { borderTopWidth: "1px" }, "& q": { ms: "0.4rem", color: "fg" } }}
    >
      {children}
    </chakra.ul>
  );
}

/** Data attributes for the line's CSS. */
export const stateOf = ({ active, ack, snooze }: Alarm) => ({
  "data-over": !active || undefined,
  "data-seen": ack !== null || undefined,
  "data-put-off": snooze !== null || undefined,
});

function OneAbout({ alarm, linked }: { alarm: Alarm; linked: boolean }) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const texts = useTimeTexts();
  const thing = useThing(alarm);
  const { active, ack, snooze } = alarm;
  const type = labels.alarmType(alarm.type);
  const name = thing && labels.thing(thing);
  const notes = [
    ...(name === null ? [] : [type]),
    ...(active ? [] : [t("alarm.over")]),
    ...(ack === null ? [] : [t("alarm.seenBy", { by: ack.by.nickname })]),
    ...(snooze === null ? [] : [t("alarm.putOff", { until: texts.dayTime(Date.parse(snooze.until)) })]),
  ];
  return (
    <>
      <p className="alarm-line__title">
        {linked && thing?.to !== undefined ? <Link to={thing.to}>{name}</Link> : (name ?? type)}
      </p>
      {notes.length > 0 && <AlarmNote>{notes.join(" · ")}</AlarmNote>}
    </>
  );
}

function GroupAbout({ alarms }: Pick<PresentAlarm, "alarms">) {
  const { t } = useTranslation("common");
  const { alarmType } = useLabels();
  const unseen = alarms.filter(({ ack }) => ack === null).length;
  return (
    <>
      <p className="alarm-line__title">{alarmType(alarms[0].type)}</p>
      <AlarmNote>
        {t("alarm.many", { count: alarms.length })}
        {unseen > 0 && ` · ${t("alarm.unseen", { count: unseen })}`}
      </AlarmNote>
    </>
  );
}

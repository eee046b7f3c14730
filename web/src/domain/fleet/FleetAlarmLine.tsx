import { Flex, Grid } from "@chakra-ui/react";
import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { stateOf } from "../alarm/AlarmLine.tsx";
import { AlarmNote } from "../alarm/AlarmNote.tsx";
import { alarmDetail } from "../alarm/alarm-detail.ts";
import { useOpenValveTexts } from "../alarm/open-valves.ts";
import { isUrgent } from "../alarm/present-alarms.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";
import { useNearTime } from "../valve/last-report.ts";
import { ReadAsButton } from "../view-as/ReadAsButton.tsx";
import { CloseValve } from "./CloseValve.tsx";
import { PhoneLink } from "./PhoneLink.tsx";
import { closableValves } from "./urgent.ts";
import { useFleetAlarm } from "./use-fleet-alarm.ts";

/** Names of valves as stored in an alarm: the farm of another account is not loaded. */
const STORED_NAMES = {
  ofWatering: ({ valveName, number }: { valveName?: string | undefined; number?: number | undefined }) =>
    valveName === undefined
      ? null
      : { name: valveName, to: undefined, ...(number === undefined ? {} : { number }) },
  ofThing: ({ name }: { name?: string | undefined }) => (name === undefined ? null : { name, to: undefined }),
};

/** Return the details of an alarm of any account, as sentences. */
function useDetails(alarm: FleetAlarmValue): readonly string[] {
  const { t } = useTranslation(["alarms", "common"]);
  const labels = useLabels();
  const texts = useTimeTexts();
  const time = useNearTime(texts);
  const valveTexts = useOpenValveTexts(texts);
  const openValves = valveTexts(alarm, STORED_NAMES, Number.POSITIVE_INFINITY);
  return alarmDetail(alarm, { t, time, error: labels.error, commanded: () => null, openValves });
}

/**
 * One alarm of any account (WARN-1): farm, what, person and telephone, since when, and the buttons to close
 * its valve and to view the farm.
 */
export function FleetAlarmLine({ alarm }: { alarm: FleetAlarmValue }) {
  const { t } = useTranslation(["urgent", "common"]);
  const labels = useLabels();
  const { dayTime } = useTimeTexts();
  const { where, account, subject, type, owner, since, ageMs } = useFleetAlarm(alarm);
  const details = useDetails(alarm);
  const { active, ack, snooze } = alarm;
  const notes = [
    ...(active ? [] : [t("common:alarm.over")]),
    ...(ack === null ? [] : [t("common:alarm.seenBy", { by: ack.by.nickname })]),
    ...(snooze === null ? [] : [t("common:alarm.putOff", { until: dayTime(Date.parse(snooze.until)) })]),
  ];
  const valves = closableValves(alarm);
  return (
    <article className="alarm-line alarm-line--whole" data-testid="fleet-alarm" {...stateOf(alarm)}>
      <AlarmBadge priority={alarm.priority} pulsing={isUrgent(alarm)} />
      <div className="alarm-line__about">
        <p className="alarm-line__title">
          <Link to={`/adminpage/status?account=${encodeURIComponent(`${alarm.account}`)}`}>{where}</Link>
        </p>
        <p>{[subject, type].join(" · ")}</p>
        {notes.length > 0 && <AlarmNote>{notes.join(" · ")}</AlarmNote>}
      </div>
      <span className="alarm-line__age">
        {labels.age(ageMs)}
        <br />
        {t("since", { time: dayTime(since) })}
      </span>
      <Grid
        gridColumn="2 / -1"
        gap="1.5"
        minW="0"
        css={{ '[data-surface="phone"] .alarm-line--whole > &': { gridColumn: "1 / -1", mt: "1" } }}
      >
        {details.map((detail) => (
          <AlarmNote key={detail}>{detail}</AlarmNote>
        ))}
        <Flex wrap="wrap" align="center" columnGap="3" rowGap="1.5">
          <span>{owner.name}</span>
          {owner.phone === null ? (
            <AlarmNote>{t("noPhone")}</AlarmNote>
          ) : (
            <PhoneLink name={owner.name} phone={owner.phone} />
          )}
          {valves.map(({ controllerId, channelId, name, number }) => (
            <CloseValve
              key={channelId}
              valve={{
                accountId: alarm.account,
                controllerId,
                channelId,
                name: name === null ? labels.channel(number) : labels.thing({ name, number }),
                account,
              }}
            />
          ))}
          <ReadAsButton size="sm" account={{ id: `${alarm.account}`, name: account }} />
        </Flex>
      </Grid>
    </article>
  );
}

import { Link, useLocation } from "react-router-dom";
import { shallow } from "zustand/shallow";
import { useAccount, useReadOnly } from "../../api/hooks.ts";
import {
  ALARMS_PATH,
  alarmNews,
  inOrder,
  isUrgent,
  useAlarmNews,
} from "../../domain/alarm/present-alarms.ts";
import { useFleetSelection, useUrgentWatch } from "../../domain/fleet/hooks.ts";
import { urgentCount } from "../../domain/fleet/urgent.ts";
import { useFleetAlarm } from "../../domain/fleet/use-fleet-alarm.ts";
import { ADMIN_PATH } from "../page.ts";
import { AlarmStrip, Announced, StripFrame, StripTexts } from "./AlarmStrip.tsx";

const URGENT = ["alarm", "fleet"] as const;

/**
 * Alarm strip of an administrator (WARN-1): the worst alarm of all accounts, or of the shown farm. It loads
 * the fleet's alarms only while there are any.
 */
export function AdminAlarmStrip() {
  const { pathname } = useLocation();
  const shown = `${useAccount().id}`;
  const readOnly = useReadOnly();
  const own = useAlarmNews();
  const alarms = useUrgentWatch(pathname.startsWith(ADMIN_PATH));
  const { p1, p2 } = useFleetSelection(URGENT, urgentCount, shallow);
  // The shown farm's alarms arrive with its own stream.
  const news = alarmNews(alarms.filter(({ account }) => `${account}` !== shown));
  if (news === null) return <AlarmStrip />;
  const others = Math.max(news.more + 1, p1 + p2 - (alarms.length - news.more - 1));
  if (own !== null && inOrder([own.worst, news.worst])[0] === own.worst)
    return <AlarmStrip others={others} />;
  const more = others - 1 + (own === null ? 0 : own.more + 1);
  const isHidden = pathname === ALARMS_PATH && !readOnly;
  return (
    <Strip alarm={news.worst} more={more} isHidden={isHidden} to={readOnly ? ADMIN_PATH : ALARMS_PATH} />
  );
}

interface StripProps {
  readonly alarm: Parameters<typeof useFleetAlarm>[0];
  readonly more: number;
  /** True on the page that lists the alarms; the alarm is announced all the same. */
  readonly isHidden: boolean;
  readonly to: string;
}

function Strip({ alarm, more, isHidden, to }: StripProps) {
  const { where, subject, type, owner, ageMs } = useFleetAlarm(alarm);
  const problem = [subject, type, owner.name].join(" · ");
  return (
    <>
      <Announced texts={`${where}, ${problem}`} urgent={isUrgent(alarm)} />
      {!isHidden && (
        <StripFrame alarm={alarm}>
          <Link to={to}>
            <StripTexts priority={alarm.priority} title={where} problem={problem} ageMs={ageMs} more={more} />
          </Link>
        </StripFrame>
      )}
    </>
  );
}
